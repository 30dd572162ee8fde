package dev.rockpool.record;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rockpool.record.Allocations.Taken;
import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Handles that the program links for {@code malloc} and its kin. The JDK's linker has this class
 * bind each handle to its function. The handle of an allocator notes what it allocates and frees. A
 * limit that refuses an allocation throws, because programs may not check for a null pointer. What
 * a program allocates is not counted against a limit as long as it has not linked {@code free} as
 * well, because then C code frees it.
 *
 * <p>A function is known by its name, which is that of the C library or of mimalloc or jemalloc,
 * and by the types of its handle.
 */
@SuppressWarnings("restricted")
public final class LinkedAllocators {
  /**
   * A function that allocates or frees. Types are {@code P} for a pointer, which a handle has as a
   * segment or as a long, {@code S} for a segment, which may be one of the heap, {@code N} for a
   * size, {@code I} for an int, and {@code V} for void. A handle that captures errno has a segment
   * for it before all others.
   */
  private enum Function {
    MALLOC("malloc", "NP"),
    CALLOC("calloc", "NNP"),
    ALIGNED_ALLOC("aligned_alloc", "NNP"),
    POSIX_MEMALIGN("posix_memalign", "SNNI"),
    REALLOC("realloc", "PNP"),
    FREE("free", "PV");

    final String name;

    /** Types of the parameters, and of the result, which comes last. */
    final String types;

    Function(String name, String types) {
      this.name = name;
      this.types = types;
    }

    /** Returns the number of parameters before those of the function: 0, or 1 with errno. */
    int extra(MethodType type) {
      return type.parameterCount() - (types.length() - 1);
    }

    boolean fits(MethodType type) {
      int extra = extra(type);
      if (extra < 0 || extra > 1 || (extra == 1 && type.parameterType(0) != MemorySegment.class)) {
        return false;
      }
      for (int i = extra; i < type.parameterCount(); i++) {
        if (!fits(types.charAt(i - extra), type.parameterType(i))) {
          return false;
        }
      }
      return fits(types.charAt(types.length() - 1), type.returnType());
    }

    private static boolean fits(char expected, Class<?> type) {
      return switch (expected) {
        case 'P' -> type == long.class || type == MemorySegment.class;
        case 'S' -> type == MemorySegment.class;
        case 'N' -> type == long.class;
        case 'I' -> type == int.class;
        default -> type == void.class;
      };
    }
  }

  /** A function of one of these families frees what another one of that family has allocated. */
  private static final String[] PREFIXES = {"", "mi_", "je_"};

  /** Whether a {@code free} was linked, by family. */
  private static final AtomicBoolean[] FREES = {
    new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean()
  };

  /** Whether handles that a class links are noted; null if those of all classes are. */
  static volatile @Nullable Predicate<String> covers;

  /** Bytes of a Dl_info, and where it has the name and the address of the symbol. */
  private static final long INFO_BYTES = 32;

  private static final long NAME_AT = 16;
  private static final long SYMBOL_AT = 24;

  private static final long LONGEST_NAME = 64;

  /** Least bytes of an allocation that counts for its line under a limit, and not for a class. */
  private static final long LEAST_WITH_LINE = 16 << 10;

  private LinkedAllocators() {}

  /** Prepares what a first allocation would load, perhaps at the end of a stack. */
  static void prepare() {
    Allocations.freed(Notes.free(0), false);
    Callers.taker();
    Objects.requireNonNull(Notes.IS_SET);
  }

  public static MethodHandle bind(MethodHandle handle, Object function) {
    MethodHandle bound = handle.bindTo(function);
    long address = ((MemorySegment) function).address();
    for (Function each : Function.values()) {
      int family = each.fits(bound.type()) ? family(each.name, address) : -1;
      if (family >= 0) {
        String linking = Callers.linkingClass();
        Predicate<String> covered = covers;
        return covered == null || covered.test(linking)
            ? noting(bound, each, FREES[family], Site.find(linking, Kind.MALLOC))
            : bound;
      }
    }
    return bound;
  }

  private static MethodHandle noting(
      MethodHandle bound, Function function, AtomicBoolean frees, Site linking) {
    MethodHandle noting = Notes.wrap(bound, function, linking);
    if (function == Function.FREE) {
      frees.set(true);
    }
    return function == Function.FREE || !Site.areLimited()
        ? noting
        : MethodHandles.guardWithTest(Notes.IS_SET.bindTo(frees), noting, bound);
  }

  /** Returns the index of the family whose function of that name is at the address; -1 if none. */
  private static int family(String name, long address) {
    MemorySegment own = Linker.nativeLinker().defaultLookup().find(name).orElse(null);
    if (own != null && own.address() == address) {
      return 0;
    }
    String found = Symbols.nameAt(address);
    for (int i = 0; i < PREFIXES.length; i++) {
      if (found.equals(PREFIXES[i] + name)) {
        return i;
      }
    }
    return -1;
  }

  /** Finds names of functions. Links {@code dladdr} when it is first needed. */
  private static final class Symbols {
    private static final @Nullable MethodHandle DLADDR = link();

    private static @Nullable MethodHandle link() {
      Linker linker = Linker.nativeLinker();
      MemorySegment function = linker.defaultLookup().find("dladdr").orElse(null);
      return function == null // on Windows
          ? null
          : linker.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    }

    static String nameAt(long address) {
      if (DLADDR == null) {
        return "";
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment info = arena.allocate(INFO_BYTES, Long.BYTES);
        int found = (int) DLADDR.invokeExact(MemorySegment.ofAddress(address), info);
        long name = info.get(JAVA_LONG, NAME_AT);
        return found == 0 || name == 0 || info.get(JAVA_LONG, SYMBOL_AT) != address
            ? ""
            : text(name);
      } catch (RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /** Returns the start of a C string. Its end is sought by the byte, as it may end a page. */
    private static String text(long address) {
      StringBuilder text = new StringBuilder();
      MemorySegment all = MemorySegment.ofAddress(address).reinterpret(LONGEST_NAME);
      for (long at = 0; at < LONGEST_NAME; at++) {
        byte next = all.get(JAVA_BYTE, at);
        if (next == 0) {
          break;
        }
        text.append((char) next);
      }
      return text.toString();
    }
  }

  /** Methods that handles call before a function, which they are named after, and after it. */
  @SuppressWarnings({"UnusedMethod", "MethodName"}) // found by name
  private static final class Notes {
    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final MethodHandle ADDRESSES =
        getter(MemorySegment.class, "address", long.class);
    private static final MethodHandle IS_SET = getter(AtomicBoolean.class, "get", boolean.class);

    private static MethodHandle getter(Class<?> owner, String name, Class<?> result) {
      try {
        return HERE.findVirtual(owner, name, MethodType.methodType(result));
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    static MethodHandle wrap(MethodHandle handle, Function function, Site linking) {
      MethodType type = handle.type();
      List<Class<?>> errno = type.parameterList().subList(0, function.extra(type));
      MethodType own = type.dropParameterTypes(0, errno.size());
      boolean isPosix = function == Function.POSIX_MEMALIGN;
      MethodHandle begin = begin(function, isPosix ? own : withLongs(own), linking);
      for (int i = 0; i < own.parameterCount() && !isPosix; i++) {
        if (own.parameterType(i) == MemorySegment.class) {
          begin = MethodHandles.filterArguments(begin, i, ADDRESSES);
        }
      }
      MethodHandle end = end(own, isPosix);
      if (isPosix) {
        end = MethodHandles.dropArguments(end, 3, errno);
      }
      MethodHandle noting =
          MethodHandles.tryFinally(MethodHandles.dropArguments(handle, 0, Taken.class), end);
      return MethodHandles.foldArguments(noting, MethodHandles.dropArguments(begin, 0, errno));
    }

    private static MethodType withLongs(MethodType type) {
      MethodType longs = type;
      for (int i = 0; i < type.parameterCount(); i++) {
        longs = longs.changeParameterType(i, long.class);
      }
      return longs;
    }

    /** Returns the method of this class to call with the arguments, before the function. */
    private static MethodHandle begin(Function function, MethodType type, Site linking) {
      MethodType result = type.changeReturnType(Taken.class);
      return function == Function.FREE
          ? method(function.name, result)
          : method(function.name, result.insertParameterTypes(0, Site.class)).bindTo(linking);
    }

    /** Returns the method to call after the function, also if that throws. */
    private static MethodHandle end(MethodType function, boolean isPosix) {
      Class<?> result = function.returnType();
      MethodType type = MethodType.methodType(result, Throwable.class);
      if (result != void.class) {
        type = type.appendParameterTypes(result);
      }
      type = type.appendParameterTypes(Taken.class);
      return method("end", isPosix ? type.appendParameterTypes(MemorySegment.class) : type);
    }

    private static MethodHandle method(String name, MethodType type) {
      try {
        return HERE.findStatic(Notes.class, name, type);
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /**
     * Returns the line that takes memory now. Finding it takes some ten times as long as a small
     * allocation, so under a limit small ones count for the class that has linked the handle.
     */
    private static Site site(Site linking, long byteSize) {
      return byteSize < LEAST_WITH_LINE && !Allocations.records
          ? linking
          : Site.find(Callers.taker(), Kind.MALLOC);
    }

    static Taken malloc(Site linking, long byteSize) {
      return Allocations.charge(byteSize, site(linking, byteSize));
    }

    /** A product that is too large is what the function refuses. */
    static Taken calloc(Site linking, long count, long byteSize) {
      boolean fits = count >= 0 && byteSize >= 0 && Math.multiplyHigh(count, byteSize) == 0;
      return malloc(linking, fits ? count * byteSize : -1);
    }

    static Taken aligned_alloc(Site linking, long unusedAlignment, long byteSize) {
      return malloc(linking, byteSize);
    }

    static Taken posix_memalign(
        Site linking, MemorySegment unusedResult, long unusedAlignment, long byteSize) {
      return malloc(linking, byteSize);
    }

    static Taken realloc(Site linking, long address, long byteSize) {
      return Allocations.chargeAnew(address, byteSize, site(linking, byteSize));
    }

    static @Nullable Taken free(long address) {
      return Allocations.give(address);
    }

    static long end(@Nullable Throwable failure, long made, Taken taken) {
      Allocations.took(failure == null ? made : 0, taken);
      return made;
    }

    static @Nullable MemorySegment end(
        @Nullable Throwable unusedFailure, @Nullable MemorySegment made, Taken taken) {
      Allocations.took(made == null ? 0 : made.address(), taken);
      return made;
    }

    static int end(@Nullable Throwable failure, int error, Taken taken, MemorySegment result) {
      long made = 0;
      if (failure == null && error == 0) {
        MemorySegment pointer = result.isNative() ? result.reinterpret(Long.BYTES) : result;
        made = pointer.get(JAVA_LONG_UNALIGNED, 0);
      }
      Allocations.took(made, taken);
      return error;
    }

    static void end(@Nullable Throwable unusedFailure, @Nullable Taken taken) {
      Allocations.freed(taken, false);
    }
  }
}
