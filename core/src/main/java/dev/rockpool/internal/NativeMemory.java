package dev.rockpool.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Allocates, zeroes and frees native memory.
 *
 * <p>This class uses the JDK's public API only. Under the agent, {@code RockpoolNativeMemory} of
 * {@code agent/src/java.base} takes its place, and uses java.base from within. {@link Carrier} and
 * {@link Lifetime} have another version there, too.
 *
 * <p>Memory comes from the C library's {@code calloc} and goes to {@code free}, in slow paths only.
 * A shared arena of the JDK would not do: its close performs a handshake with every thread of the
 * program. Nor would an automatic arena: its memory counts against the limit for direct memory, and
 * it may run a full GC before it allocates.
 */
@SuppressWarnings("restricted")
public final class NativeMemory {
  /** Bytes to which calloc aligns on 64-bit systems, and so each segment of a JDK arena. */
  public static final int ALIGNMENT = 16;

  /** Bytes in a cache line of most processors. */
  public static final int CACHE_LINE = 64;

  /** Bytes that {@link #zero} zeroes between two exits. */
  private static final int STEP = 32;

  /** Unaligned, because aligned access adds a check of the alignment. */
  private static final VarHandle WORD = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();

  private NativeMemory() {}

  /** Links the calls, too: an arena's first close should not take the time for that. */
  public static void initialize() {
    Objects.requireNonNull(All.MEMORY);
    long tried = allocateZeroed(2 * CACHE_LINE);
    if (tried != 0) {
      zero(tried, 2 * CACHE_LINE);
      free(tried);
    }
  }

  /** Whether an address has 64 bits, and the linker finds the C library; all else here needs it. */
  public static boolean canAllocate() {
    return Handles.MEMSET != null;
  }

  /**
   * Allocates {@code byteSize} bytes, zeroed, aligned to {@link #ALIGNMENT}. Returns the address,
   * to be passed to {@link #free} once; or 0 if there is no memory, or the C library can't be
   * called.
   */
  public static long allocateZeroed(long byteSize) {
    MethodHandle calloc = Handles.CALLOC;
    if (calloc == null || !canAllocate()) {
      return 0;
    }
    try {
      return (long) calloc.invokeExact(1L, byteSize);
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }

  /** Frees memory of {@link #allocateZeroed}. Nobody may access the memory any more. */
  public static void free(long address) {
    MethodHandle free = Handles.FREE;
    if (free == null) {
      throw new IllegalStateException(
          "Memory is freed only if it was allocated here: address=" + address);
    }
    try {
      free.invokeExact(address);
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }

  /** Returns a segment of {@code byteSize} bytes at {@code address} in the global scope. */
  @ForceInline
  public static MemorySegment slice(long address, long byteSize) {
    return All.MEMORY.asSlice(address, byteSize);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a block. May zero up to the next multiple of 32, and
   * 32 for none.
   *
   * <p>Up to a cache line this compiles to plain stores: both loops have a small constant number of
   * steps, so C2 unrolls them. The start is known to be far from the end of all memory, so C2
   * removes the bounds checks. There is no slice either: before C2 has compiled this a slice is an
   * object, and closing an arena must not need heap.
   *
   * <p>The bytecode has a single {@code set}, because parsing each costs C2 some 700 nodes. An
   * arena's whole life must fit C2's inlining budget together with the code that uses the arena.
   */
  @ForceInline
  public static void zero(long address, int byteSize) {
    long start = Objects.checkIndex(address, Long.MAX_VALUE - CACHE_LINE);
    for (int step = 0; step < CACHE_LINE; step += STEP) {
      for (int word = 0; word < STEP; word += Long.BYTES) {
        WORD.set(All.MEMORY, start + (step + word), 0L);
      }
      if (byteSize <= step + STEP) {
        return;
      }
      if (byteSize > CACHE_LINE) {
        break;
      }
    }
    zeroBulk(address, byteSize);
  }

  /**
   * Zeroes any native memory with the C library's {@code memset}: less code than a copy of zeroes,
   * so that C2 inlines an arena's {@code close}, and faster than {@link MemorySegment#fill}. The
   * call is critical: no safepoint, and so no garbage collection, can start before it ends. The
   * largest block is a mebibyte, for which a safepoint waits for some 0.1 ms.
   *
   * @param byteSize at least one
   */
  public static void zeroBulk(long address, long byteSize) {
    MethodHandle memset = Handles.MEMSET;
    if (memset == null) {
      throw new IllegalStateException(
          "Memory is zeroed only if it was allocated here: address=" + address);
    }
    try {
      long same = (long) memset.invokeExact(address, 0, byteSize);
      assert same == address;
    } catch (Throwable failure) {
      throw CLibrary.rethrow(failure);
    }
  }

  /**
   * Checks an invariant: that memory is zero.
   *
   * @throws AssertionError if not all bytes are zero
   */
  public static void checkZero(long address, int byteSize, String what) {
    MemorySegment memory = All.MEMORY.asSlice(address, byteSize);
    for (long offset = 0; offset < byteSize; offset += Long.BYTES) {
      if (memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset) != 0) {
        throw new AssertionError(what + " holds data at byte " + offset);
      }
    }
  }

  /**
   * All of memory, to be written to by address. A slice of it costs one bounds check; {@code
   * reinterpret} also determines its caller, which is slow until C2 has compiled it.
   */
  private static final class All {
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /**
   * All or none: each handle is null if one before it is. Pointers are declared as {@code long},
   * because all 64-bit ABIs pass both alike.
   */
  private static final class Handles {
    static final @Nullable MethodHandle CALLOC =
        handle("calloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));

    static final @Nullable MethodHandle FREE =
        CALLOC == null ? null : handle("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    static final @Nullable MethodHandle MEMSET =
        FREE == null
            ? null
            : handle(
                "memset",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG),
                Linker.Option.critical(false));

    private static @Nullable MethodHandle handle(
        String name, FunctionDescriptor type, Linker.Option... options) {
      String consequence = "Blocks can't be allocated, so arenas are the JDK's own";
      return ADDRESS.byteSize() == Long.BYTES
          ? CLibrary.findOrReport(consequence, name, type, options)
          : null;
    }
  }
}
