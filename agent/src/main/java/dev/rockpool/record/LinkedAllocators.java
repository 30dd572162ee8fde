package dev.rockpool.record;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
   * segment or as a long, {@code N} for a size, {@code I} for an int, and {@code V} for void.
   */
  private enum Function {
    MALLOC("malloc", "NP"),
    CALLOC("calloc", "NNP"),
    ALIGNED_ALLOC("aligned_alloc", "NNP"),
    POSIX_MEMALIGN("posix_memalign", "PNNI"),
    REALLOC("realloc", "PNP"),
    FREE("free", "PV");

    final String name;

    /** Of the parameters and of the result, which comes last. */
    final String types;

    Function(String name, String types) {
      this.name = name;
      this.types = types;
    }

    boolean fits(MethodType type) {
      if (type.parameterCount() != types.length() - 1) {
        return false;
      }
      for (int i = 0; i < type.parameterCount(); i++) {
        if (!fits(types.charAt(i), type.parameterType(i))) {
          return false;
        }
      }
      return fits(types.charAt(types.length() - 1), type.returnType());
    }

    private static boolean fits(char expected, Class<?> type) {
      return switch (expected) {
        case 'P' -> type == long.class || type == MemorySegment.class;
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

  /** What is noted before a call, and after it. All values are passed as longs. */
  @SuppressWarnings("UnusedMethod") // found by name
  private static final class Notes {
    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
    private static final MethodHandle ADDRESS_OF = address();

    private static MethodHandle address() {
      try {
        MethodType type = MethodType.methodType(long.class);
        return MethodHandles.publicLookup().findVirtual(MemorySegment.class, "address", type);
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    static MethodHandle wrap(MethodHandle handle, Function function) {
      return switch (function) {
        case MALLOC -> after(handle, "malloc");
        case CALLOC -> after(handle, "calloc");
        case ALIGNED_ALLOC -> after(handle, "alignedAlloc");
        case POSIX_MEMALIGN -> after(handle, "posixMemalign");
        case REALLOC -> before(after(handle, "realloc"), "free");
        case FREE -> before(handle, "free");
      };
    }

    /** Calls a method of this class with the first argument, then the handle. */
    private static MethodHandle before(MethodHandle handle, String name) {
      MethodType type = handle.type();
      return MethodHandles.foldArguments(
          handle, note(name, MethodType.methodType(void.class, type.parameterType(0))));
    }

    /** Calls the handle, then a method of this class with the result and the arguments. */
    private static MethodHandle after(MethodHandle handle, String name) {
      MethodType type = handle.type();
      Class<?> result = type.returnType();
      MethodHandle returning =
          MethodHandles.dropArguments(MethodHandles.identity(result), 1, type.parameterList());
      MethodHandle note =
          note(name, type.insertParameterTypes(0, result).changeReturnType(void.class));
      return MethodHandles.foldArguments(MethodHandles.foldArguments(returning, note), handle);
    }

    /** Returns a method of this class, which takes longs, as a handle that takes these types. */
    private static MethodHandle note(String name, MethodType type) {
      try {
        MethodType ofLongs = type.generic().changeReturnType(void.class);
        for (int i = 0; i < type.parameterCount(); i++) {
          ofLongs = ofLongs.changeParameterType(i, long.class);
        }
        MethodHandle note = HERE.findStatic(Notes.class, name, ofLongs);
        for (int i = 0; i < type.parameterCount(); i++) {
          if (type.parameterType(i) == MemorySegment.class) {
            note = MethodHandles.filterArguments(note, i, ADDRESS_OF);
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

    static void posixMemalign(long error, long result, long unusedAlignment, long byteSize) {
      if (error == 0) {
        long made = MemorySegment.ofAddress(result).reinterpret(Long.BYTES).get(JAVA_LONG, 0);
        Allocations.took(made, byteSize, Kind.MALLOC);
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
