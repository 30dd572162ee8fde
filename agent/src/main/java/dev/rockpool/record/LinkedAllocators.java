package dev.rockpool.record;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles that the program links for {@code malloc} and its kin. The JDK's linker has this class
 * bind each handle to its function. The handle of an allocator notes what it allocates and frees.
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

  private static final String[] PREFIXES = {"", "mi_", "je_"};

  /** Bytes of a Dl_info, and where it has the name and the address of the symbol. */
  private static final long INFO_BYTES = 32;

  private static final long NAME_AT = 16;
  private static final long SYMBOL_AT = 24;

  private static final long LONGEST_NAME = 64;

  private LinkedAllocators() {}

  /** Prepares what a first allocation would load, perhaps at the end of a stack. */
  static void prepare() {
    Allocations.give(0);
    Notes.free(0);
    Holdings.taker();
    Holdings.stack(1);
  }

  /** As {@code handle.bindTo(function)}. */
  public static MethodHandle bind(MethodHandle handle, Object function) {
    MethodHandle bound = handle.bindTo(function);
    Function allocator = find(bound.type(), ((MemorySegment) function).address());
    return allocator == null ? bound : Notes.wrap(bound, allocator);
  }

  private static @Nullable Function find(MethodType type, long address) {
    for (Function each : Function.values()) {
      if (each.fits(type) && isNamed(address, each.name)) {
        return each;
      }
    }
    return null;
  }

  private static boolean isNamed(long address, String name) {
    MemorySegment own = Linker.nativeLinker().defaultLookup().find(name).orElse(null);
    if (own != null && own.address() == address) {
      return true;
    }
    String found = Symbols.nameAt(address);
    for (String prefix : PREFIXES) {
      if (found.equals(prefix + name)) {
        return true;
      }
    }
    return false;
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

    /** Returns the name of the symbol that is exported at that address; empty if there is none. */
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

  /** Methods that handles call before a function, and after it. */
  @SuppressWarnings("UnusedMethod") // found by name
  private static final class Notes {
    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final MethodHandle ADDRESSES = address();

    private static MethodHandle address() {
      try {
        MethodType type = MethodType.methodType(long.class);
        return MethodHandles.publicLookup().findVirtual(MemorySegment.class, "address", type);
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    static MethodHandle wrap(MethodHandle handle, Function function) {
      int extra = function.extra(handle.type());
      return switch (function) {
        case MALLOC -> after(handle, extra, "malloc");
        case CALLOC -> after(handle, extra, "calloc");
        case ALIGNED_ALLOC -> after(handle, extra, "alignedAlloc");
        case POSIX_MEMALIGN -> after(handle, extra, "posixMemalign");
        case REALLOC -> before(after(handle, extra, "realloc"), extra);
        case FREE -> before(handle, extra);
      };
    }

    /** Has {@link #free} called with the first argument of the function, then the handle. */
    private static MethodHandle before(MethodHandle handle, int extra) {
      List<Class<?>> types = handle.type().parameterList();
      MethodHandle note =
          note("free", MethodType.methodType(void.class, types.get(extra)), ADDRESSES);
      return MethodHandles.foldArguments(
          handle, MethodHandles.dropArguments(note, 0, types.subList(0, extra)));
    }

    /** Calls the handle, then a method of this class with the result and the arguments. */
    private static MethodHandle after(MethodHandle handle, int extra, String name) {
      MethodType type = handle.type();
      Class<?> result = type.returnType();
      MethodHandle returning =
          MethodHandles.dropArguments(MethodHandles.identity(result), 1, type.parameterList());
      MethodType noted =
          type.dropParameterTypes(0, extra)
              .insertParameterTypes(0, result)
              .changeReturnType(void.class);
      MethodHandle note = note(name, noted, name.equals("posixMemalign") ? null : ADDRESSES);
      note = MethodHandles.dropArguments(note, 1, type.parameterList().subList(0, extra));
      return MethodHandles.foldArguments(MethodHandles.foldArguments(returning, note), handle);
    }

    /**
     * Returns a method of this class as a handle that takes these types.
     *
     * @param filter turns segments into longs; null for a method that takes segments
     */
    private static MethodHandle note(String name, MethodType type, @Nullable MethodHandle filter) {
      try {
        MethodType own = type;
        for (int i = 0; i < type.parameterCount(); i++) {
          if (filter != null || type.parameterType(i) != MemorySegment.class) {
            own = own.changeParameterType(i, long.class);
          }
        }
        MethodHandle note = HERE.findStatic(Notes.class, name, own);
        for (int i = 0; i < type.parameterCount(); i++) {
          if (filter != null && type.parameterType(i) == MemorySegment.class) {
            note = MethodHandles.filterArguments(note, i, filter);
          }
        }
        return note.asType(type);
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    static void malloc(long made, long byteSize) {
      Allocations.took(made, byteSize, Kind.MALLOC);
    }

    static void calloc(long made, long count, long byteSize) {
      Allocations.took(made, count * byteSize, Kind.MALLOC);
    }

    static void alignedAlloc(long made, long unusedAlignment, long byteSize) {
      Allocations.took(made, byteSize, Kind.MALLOC);
    }

    static void posixMemalign(
        long error, MemorySegment result, long unusedAlignment, long byteSize) {
      if (error == 0) {
        MemorySegment pointer = result.isNative() ? result.reinterpret(Long.BYTES) : result;
        Allocations.took(pointer.get(JAVA_LONG_UNALIGNED, 0), byteSize, Kind.MALLOC);
      }
    }

    static void realloc(long made, long unusedFreed, long byteSize) {
      Allocations.took(made, byteSize, Kind.MALLOC);
    }

    static void free(long address) {
      Allocations.give(address);
    }
  }
}
