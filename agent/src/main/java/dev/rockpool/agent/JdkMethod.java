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
  LINKER(
      JdkClasses.LINKER,
      "the linker's buffers for structs by value are pooled",
      "buffers of native calls can't be pooled on this JDK, which goes on with its own"),

  CLEANER(
      JdkClasses.UNSAFE,
      "Unsafe.invokeCleaner frees Rockpool's direct buffers, too",
      "Unsafe.invokeCleaner can't free Rockpool's direct buffers on this JDK, and leaves them to"
          + " the collector"),

  /** As before, where buffers are recorded. */
  RECORDED_CLEANER(JdkClasses.UNSAFE, CLEANER.done, CLEANER.without),

  DEALLOCATOR(
      JdkClasses.DEALLOCATOR,
      "freed direct buffers are counted",
      "direct buffers that the program frees seem live on this JDK until they are unreachable"),

  UNMAPPER(
      JdkClasses.UNMAPPER,
      "freed mapped buffers are recorded",
      "mapped buffers that the program frees seem live on this JDK until they are unreachable"),

  UNSAFE(
      JdkClasses.UNSAFE,
      "memory that Unsafe allocates is counted",
      "memory that Unsafe allocates can't be counted on this JDK"),

  TEMPORARY(
      JdkClasses.TEMPORARY,
      "temporary buffers of channels are recorded",
      "temporary buffers of channels can't be recorded on this JDK"),

  BINDER(
      JdkClasses.BINDER,
      "memory that handles for malloc and its kin allocate is counted",
      "memory that handles for malloc allocate can't be counted on this JDK"),

  INFLATER(
      OwnerClass.INFLATER,
      "objects of class Inflater are counted",
      "objects of class Inflater can't be counted on this JDK"),

  DEFLATER(
      OwnerClass.DEFLATER,
      "objects of class Deflater are counted",
      "objects of class Deflater can't be counted on this JDK");

  /** The class that declares the method, in internal form. */
  final String owner;

  final String done;

  final String without;

  JdkMethod(String owner, String done, String without) {
    this.owner = owner;
    this.done = done;
    this.without = without;
  }

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
      case UNSAFE -> {
        byte[] one = redirect(classFile, Call.ALLOCATE_MEMORY, "Unsafe", "allocateMemory");
        byte[] two = redirect(one, Call.REALLOCATE_MEMORY, "Unsafe", "reallocateMemory");
        yield redirect(two, Call.FREE_MEMORY, "Unsafe", "freeMemory");
      }
      case TEMPORARY -> {
        byte[] one = redirect(classFile, Call.FREE_TEMPORARY, "Unsafe", "freeMemory");
        byte[] two = redirect(one, Call.ALLOCATE_TEMPORARY, "Unsafe", "allocateTemporary");
        yield redirect(two, Call.ALLOCATE_TEMPORARY, "Unsafe", "allocateTemporary");
      }
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

  /** Null unless all calls are there: memory that is freed unseen would seem live for good. */
  private static byte @Nullable [] redirect(
      byte @Nullable [] classFile, Call call, String target, String method) {
    return classFile == null
        ? null
        : JdkClasses.redirect(classFile, call, LibraryInJavaBase.CLOSED + target, method);
  }
}
