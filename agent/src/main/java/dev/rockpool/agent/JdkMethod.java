package dev.rockpool.agent;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A method of the JDK that the agent rewrites, because its call sites can't be redirected. */
enum JdkMethod {
  /** Makes the arena for the buffers of a native call. */
  LINKER(
      LinkerMethod.OWNER,
      "the linker's buffers for structs by value are pooled",
      "buffers of native calls can't be pooled on this JDK, which goes on with its own"),

  /** Frees a direct buffer by hand. */
  CLEANER(
      CleanerMethod.OWNER,
      "Unsafe.invokeCleaner frees direct buffers of ours, too",
      "Unsafe.invokeCleaner can't free direct buffers of ours on this JDK, and leaves them to the"
          + " collector");

  private final String owner;
  private final String done;
  private final String without;

  JdkMethod(String owner, String done, String without) {
    this.owner = owner;
    this.done = done;
    this.without = without;
  }

  /** Returns the class that declares the method, in internal form. */
  String owner() {
    return owner;
  }

  /** Returns the message for a rewritten method. */
  String done() {
    return done;
  }

  /** Returns the message for a method that can't be rewritten. */
  String without() {
    return without;
  }

  /** Returns the class file with the method rewritten, or null if it has no such method. */
  byte @Nullable [] rewrite(byte[] classFile) {
    return this == LINKER ? LinkerMethod.rewrite(classFile) : CleanerMethod.rewrite(classFile);
  }

  /** Defines the classes that the rewritten method calls. */
  void define(PooledClasses pooled) throws IOException, ReflectiveOperationException {
    if (this == LINKER) {
      pooled.define();
    } else {
      pooled.defineDirect();
    }
  }
}
