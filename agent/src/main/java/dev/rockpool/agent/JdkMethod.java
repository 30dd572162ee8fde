package dev.rockpool.agent;

import dev.rockpool.internal.Setting;
import dev.rockpool.rewrite.JdkClasses;
import dev.rockpool.rewrite.JdkClasses.Call;
import dev.rockpool.rewrite.OwnerClass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method of the JDK that the agent rewrites, because its callers can't be redirected. */
enum JdkMethod {
  /** Makes the arena for the buffers of a native call. */
  LINKER(
      JdkClasses.LINKER,
      "start",
      "the linker's buffers for structs by value are pooled",
      "buffers of native calls can't be pooled on this JDK, which goes on with its own"),

  /** Frees a buffer by hand. */
  CLEANER(
      JdkClasses.UNSAFE,
      "direct",
      "Unsafe.invokeCleaner frees Rockpool's direct buffers, too",
      "Unsafe.invokeCleaner can't free Rockpool's direct buffers on this JDK, and leaves them to"
          + " the collector"),

  /** As before, where buffers are recorded. */
  RECORDED_CLEANER(JdkClasses.UNSAFE, "direct", CLEANER.done, CLEANER.without),

  /** Frees the memory of the JDK's direct buffers. */
  DEALLOCATOR(
      JdkClasses.DEALLOCATOR,
      "record",
      "freed direct buffers are counted",
      "direct buffers that the program frees seem live on this JDK until they are unreachable"),

  /** Unmaps the files of mapped buffers. */
  UNMAPPER(
      JdkClasses.UNMAPPER,
      "record",
      "freed mapped buffers are recorded",
      "mapped buffers that the program frees seem live on this JDK until they are unreachable"),

  /** Allocate and free memory by address. */
  UNSAFE(
      JdkClasses.UNSAFE,
      "record",
      "memory that Unsafe allocates is counted",
      "memory that Unsafe allocates can't be counted on this JDK"),

  /** Allocate and free the buffers that channels put heap buffers in. */
  TEMPORARY(
      JdkClasses.TEMPORARY,
      "record",
      "temporary buffers of channels are recorded",
      "temporary buffers of channels can't be recorded on this JDK"),

  /** Binds handles to native functions, among them malloc. */
  BINDER(
      JdkClasses.BINDER,
      "record",
      "memory that handles for malloc and its kin allocate is counted",
      "memory that handles for malloc allocate can't be counted on this JDK"),

  /** Owns C memory, as the next. */
  INFLATER(
      OwnerClass.INFLATER,
      "record",
      "objects of class Inflater are counted",
      "objects of class Inflater can't be counted on this JDK"),

  /** See {@link #INFLATER}. */
  DEFLATER(
      OwnerClass.DEFLATER,
      "record",
      "objects of class Deflater are counted",
      "objects of class Deflater can't be counted on this JDK");

  /** The class that declares the method, in internal form. */
  final String owner;

  /** The message for a rewritten method. */
  final String done;

  /** The message for a method that can't be rewritten. */
  final String without;

  /** The group of the classes that the rewritten method calls. */
  private final String group;

  JdkMethod(String owner, String group, String done, String without) {
    this.owner = owner;
    this.group = group;
    this.done = done;
    this.without = without;
  }

  /** Returns the methods that the options have rewritten. */
  static List<JdkMethod> of(AgentOptions options) {
    List<JdkMethod> methods = new ArrayList<>();
    if (options.has(Setting.LINKER)) {
      methods.add(LINKER);
    }
    if (options.has(Setting.DIRECT)) {
      methods.add(options.has(Setting.RECORD) ? RECORDED_CLEANER : CLEANER);
    }
    if (options.has(Setting.RECORD)) {
      methods.add(UNMAPPER);
      methods.add(TEMPORARY);
    }
    if (options.has(Setting.RECORD) || options.countsMemory()) {
      methods.add(DEALLOCATOR);
      methods.add(UNSAFE);
      methods.add(BINDER);
    }
    if (options.countsKnownOwners()) {
      methods.add(INFLATER);
      methods.add(DEFLATER);
    }
    return methods;
  }

  /** Returns the class file with the method rewritten, or null if it has no such method. */
  byte @Nullable [] rewrite(byte[] classFile) {
    return switch (this) {
      case LINKER ->
          JdkClasses.poolLinkerBuffers(classFile, LibraryInJavaBase.START, LibraryInJavaBase.OPEN);
      case CLEANER -> redirect(classFile, Call.CLEAN, "Cleaner", "free");
      case RECORDED_CLEANER -> redirect(classFile, Call.CLEAN, "Cleaner", "freeAndRecord");
      case DEALLOCATOR -> redirect(classFile, Call.FREE, "Cleaner", "freeMemory");
      case UNMAPPER -> redirect(classFile, Call.UNMAP, "Cleaner", "unmap");
      case UNSAFE -> redirectMemory(classFile);
      case TEMPORARY -> redirectTemporary(classFile);
      case BINDER -> redirect(classFile, Call.BIND, "LinkedAllocators", "bind");
      case INFLATER, DEFLATER -> countOwners(classFile);
    };
  }

  private byte @Nullable [] countOwners(byte[] classFile) {
    OwnerClass known = OwnerClass.known(owner);
    return known == null || !known.closesIn(classFile)
        ? null
        : known.rewrite(classFile, OwnerRules.TARGET);
  }

  private static byte @Nullable [] redirect(
      byte[] classFile, Call call, String target, String method) {
    return JdkClasses.redirect(classFile, call, LibraryInJavaBase.CLOSED + target, method);
  }

  /** Null unless all three are there: memory that is freed unseen would seem live for good. */
  private static byte @Nullable [] redirectMemory(byte[] classFile) {
    byte[] allocated = redirect(classFile, Call.ALLOCATE_MEMORY, "Unsafe", "allocateMemory");
    byte[] moved =
        allocated == null
            ? null
            : redirect(allocated, Call.REALLOCATE_MEMORY, "Unsafe", "reallocateMemory");
    return moved == null ? null : redirect(moved, Call.FREE_MEMORY, "Unsafe", "freeMemory");
  }

  /** Null unless all three are there, as above. */
  private static byte @Nullable [] redirectTemporary(byte[] classFile) {
    byte[] rewritten = redirect(classFile, Call.FREE_TEMPORARY, "Unsafe", "freeMemory");
    for (int i = 0; i < 2 && rewritten != null; i++) {
      rewritten = redirect(rewritten, Call.ALLOCATE_TEMPORARY, "Unsafe", "allocateTemporary");
    }
    return rewritten;
  }

  /** Defines the classes that the rewritten method calls. */
  void define(LibraryInJavaBase library) {
    library.define(group);
  }
}
