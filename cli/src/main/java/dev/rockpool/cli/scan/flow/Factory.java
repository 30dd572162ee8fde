package dev.rockpool.cli.scan.flow;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.MethodInsnNode;

/** The methods of {@code java.lang.foreign.Arena} that hand out arenas. */
public enum Factory {
  CONFINED("ofConfined"),
  SHARED("ofShared"),
  AUTO("ofAuto"),
  GLOBAL("global");

  /** The internal name of the type whose methods they are. */
  static final String OWNER = "java/lang/foreign/Arena";

  private static final String DESCRIPTOR = "()Ljava/lang/foreign/Arena;";

  private final String method;

  Factory(String method) {
    this.method = method;
  }

  /** The name of the method. */
  public String method() {
    return method;
  }

  /** For tables and JSON, for example "confined". */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether such an arena ends by being closed. */
  boolean isCloseable() {
    return this == CONFINED || this == SHARED;
  }

  static @Nullable Factory of(MethodInsnNode call) {
    return of(call.owner, call.name, call.desc);
  }

  static @Nullable Factory of(Handle method) {
    return of(method.getOwner(), method.getName(), method.getDesc());
  }

  private static @Nullable Factory of(String owner, String name, String descriptor) {
    if (owner.equals(OWNER) && descriptor.equals(DESCRIPTOR)) {
      for (Factory factory : values()) {
        if (factory.method.equals(name)) {
          return factory;
        }
      }
    }
    return null;
  }
}
