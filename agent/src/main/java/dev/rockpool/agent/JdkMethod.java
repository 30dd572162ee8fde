package dev.rockpool.agent;

import dev.rockpool.internal.Setting;
import dev.rockpool.rewrite.JdkClasses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method of the JDK that the agent rewrites, because its call sites can't be redirected. */
enum JdkMethod {
  /** Makes the arena for the buffers of a native call. */
  LINKER(
      JdkClasses.LINKER,
      "the linker's buffers for structs by value are pooled",
      "buffers of native calls can't be pooled on this JDK, which goes on with its own"),

  /** Frees a direct buffer by hand. */
  CLEANER(
      JdkClasses.UNSAFE,
      "Unsafe.invokeCleaner frees direct buffers of ours, too",
      "Unsafe.invokeCleaner can't free direct buffers of ours on this JDK, and leaves them to the"
          + " collector"),

  /** As before, where buffers are recorded, not ours. */
  RECORDED_CLEANER(
      JdkClasses.UNSAFE,
      "Unsafe.invokeCleaner is recorded",
      "buffers that Unsafe.invokeCleaner frees seem live on this JDK until they are unreachable"),

  /** As before, where buffers are recorded, and ours. */
  RECORDED_CLEANER_OF_OURS(JdkClasses.UNSAFE, CLEANER.done, CLEANER.without),

  /** Binds handles to native functions, among them malloc. */
  BINDER(
      JdkClasses.BINDER,
      "handles for malloc and its kin are recorded",
      "memory that handles for malloc allocate can't be recorded on this JDK");

  /** The class that declares the method, in internal form. */
  final String owner;

  /** The message for a rewritten method. */
  final String done;

  /** The message for a method that can't be rewritten. */
  final String without;

  JdkMethod(String owner, String done, String without) {
    this.owner = owner;
    this.done = done;
    this.without = without;
  }

  /** Returns the methods that the options have rewritten. */
  static List<JdkMethod> of(AgentOptions options) {
    List<JdkMethod> methods = new ArrayList<>();
    if (options.has(Setting.LINKER)) {
      methods.add(LINKER);
    }
    boolean isDirect = options.has(Setting.DIRECT);
    if (options.has(Setting.RECORD)) {
      methods.add(isDirect ? RECORDED_CLEANER_OF_OURS : RECORDED_CLEANER);
      methods.add(BINDER);
    } else if (isDirect) {
      methods.add(CLEANER);
    }
    return methods;
  }

  /** Returns the class file with the method rewritten, or null if it has no such method. */
  byte @Nullable [] rewrite(byte[] classFile) {
    return switch (this) {
      case LINKER ->
          JdkClasses.poolLinkerBuffers(classFile, LibraryInJavaBase.START, LibraryInJavaBase.OPEN);
      case BINDER ->
          JdkClasses.redirectBinder(
              classFile, LibraryInJavaBase.CLOSED + "LinkedAllocators", "bind");
      default ->
          JdkClasses.redirectUnsafe(
              classFile, LibraryInJavaBase.CLOSED + "Unsafe", cleaner(), this != CLEANER);
    };
  }

  private String cleaner() {
    return switch (this) {
      case RECORDED_CLEANER -> "record";
      case RECORDED_CLEANER_OF_OURS -> "freeAndRecord";
      default -> "free";
    };
  }

  /** Defines the classes that the rewritten method calls. */
  void define(LibraryInJavaBase library) {
    library.define(
        switch (this) {
          case LINKER -> "start";
          case RECORDED_CLEANER, BINDER -> "record";
          default -> "direct";
        });
  }
}
