package dev.rockpool.agent;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A method of the JDK itself that is rewritten, wherever it is called from. */
enum JdkMethod {
  /** What makes the arena for the buffers of a native call. */
  LINKER(
      LinkerMethod.OWNER,
      "the linker's buffers for structs by value are pooled",
      "buffers of native calls can't be pooled on this JDK, which goes on with its own"),

  /** What frees a direct buffer by hand. */
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

  /** The class that has it, in internal form. */
  String owner() {
    return owner;
  }

  /** What is said when it was rewritten. */
  String done() {
    return done;
  }

  /** What is said where it can't be. */
  String without() {
    return without;
  }

  /** The class with the method rewritten, or null if it has no such method. */
  byte @Nullable [] rewrite(byte[] classFile) {
    return this == LINKER ? LinkerMethod.rewrite(classFile) : CleanerMethod.rewrite(classFile);
  }

  /** Defines what the method then calls. */
  void define(PooledClasses pooled) throws IOException, ReflectiveOperationException {
    if (this == LINKER) {
      pooled.define();
    } else {
      pooled.defineDirect();
    }
  }
}
