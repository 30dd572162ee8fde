package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The door to native memory: how it is allocated, zeroed, made into segments, and freed. Together
 * with {@link Carrier} this is all that depends on where Rockpool runs.
 *
 * <p>Here everything is the JDK's public API. In the classes that the agent defines another class
 * takes this one's place, which uses java.base from within, and this one if that fails.
 *
 * <p>Memory comes from the C library's {@code calloc} and goes to {@code free}, in slow paths only.
 * Not from a shared arena of the JDK: any thread may close that, too, but its close stops every
 * thread of the program to look what it is doing (0.2 s with a thousand threads on two cores, JDK
 * 25). And not from an automatic one: that counts against the limit for direct memory, and may run
 * a full GC before it allocates.
 */
@SuppressWarnings("restricted")
public final class NativeMemory {
  /** What calloc promises on 64-bit systems, and so what each segment of a JDK arena starts on. */
  public static final int ALIGNMENT = 16;

  /** Where slabs start, so that a small arena touches one cache line. */
  public static final int CACHE_LINE = 64;

  /** Up to this many bytes are zeroed by a row of stores, more by a bulk copy. */
  private static final int STRAIGHT_LINE = 192;

  /** The bytes of that row between one look at whether it is enough and the next. */
  private static final int BLOCK = 32;

  /** Unaligned, because that spares the check of the alignment. */
  private static final VarHandle WORD = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();

  private NativeMemory() {}

  /** See {@link Foundations}. */
  static void initialize() {
    Objects.requireNonNull(All.MEMORY);
    Objects.requireNonNull(Zeroes.SOURCE);
    canAllocate();
  }

  /** Whether addresses are as long as a {@code long}, which all of this takes for granted. */
  public static boolean has64BitAddresses() {
    return ValueLayout.ADDRESS.byteSize() == Long.BYTES;
  }

  /** Whether there is a way to call the C library. */
  public static boolean canAllocate() {
    return Handles.MEMSET != null;
  }

  /**
   * Allocates {@code byteSize} bytes, zeroed, on a multiple of {@link #ALIGNMENT}.
   *
   * @return the address, to be given to {@link #free} once; or 0 if there is no memory, or no way
   *     to call the C library
   */
  public static long allocateZeroed(long byteSize) {
    MethodHandle calloc = Handles.CALLOC;
    if (calloc == null || !canAllocate()) {
      return 0;
    }
    try {
      return (long) calloc.invokeExact(1L, byteSize);
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
  }

  /** Gives memory back. Nobody may touch it from now on. */
  public static void free(long address) {
    MethodHandle free = Handles.FREE;
    if (free == null) {
      throw new IllegalStateException("What was not allocated here is not freed here: " + address);
    }
    try {
      free.invokeExact(address);
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
  }

  /**
   * A segment of {@code byteSize} bytes at {@code address} with the lifetime of {@code arena}.
   *
   * @throws IllegalStateException if {@code arena} is closed
   * @throws WrongThreadException if {@code arena} is confined to another thread
   */
  @ForceInline
  public static MemorySegment segment(long address, long byteSize, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  /** A segment of {@code byteSize} bytes at {@code address}, for as long as somebody knows it. */
  @ForceInline
  public static MemorySegment slice(long address, long byteSize) {
    return All.MEMORY.asSlice(address, byteSize);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a slab, at least one, rounded up to 32.
   *
   * <p>Up to 192 bytes this compiles to a row of plain stores with an exit after every fourth: both
   * loops have a fixed and small number of steps, so C2 unrolls them, and the start is known to lie
   * so far from the end of all memory that no bounds are checked any more. (Nor is there a slice,
   * which would be an object before C2 has compiled this: the end of an arena is to need no heap.)
   * There is one {@code set} in the bytecode because each costs C2 some 700 nodes while it parses,
   * and the whole life of an arena must fit its inlining budget together with the code that uses
   * the arena. A loop up to {@code byteSize} was slower: C2 cannot know how often it runs, and
   * prepares for many times.
   */
  @ForceInline
  public static void zero(long address, int byteSize) {
    long start = Objects.checkIndex(address, Long.MAX_VALUE - STRAIGHT_LINE);
    for (int block = 0; block < STRAIGHT_LINE; block += BLOCK) {
      for (int word = 0; word < BLOCK; word += Long.BYTES) {
        WORD.set(All.MEMORY, start + (block + word), 0L);
      }
      if (byteSize <= block + BLOCK) {
        return;
      }
      if (block == 0 && byteSize > STRAIGHT_LINE) {
        break; // looked at once, and not by what is smallest
      }
    }
    zeroBulk(address, byteSize);
  }

  /**
   * As {@link #zero}, for some hundred bytes or more. Copies zeroes, which is faster than {@link
   * MemorySegment#fill}: 9 against 18 ns for 1 KiB, 20 against 77 ns for 4 KiB (x86-64 with
   * AVX-512, JDK 25).
   */
  public static void zeroBulk(long address, int byteSize) {
    for (long offset = 0; offset < byteSize; offset += Zeroes.BYTE_SIZE) {
      long length = Math.min(Zeroes.BYTE_SIZE, byteSize - offset);
      MemorySegment.copy(Zeroes.SOURCE, 0, All.MEMORY, address + offset, length);
    }
  }

  /**
   * Zeroes memory, whatever it is. For thousands of bytes: cold memory takes a third less time than
   * with {@code MemorySegment.fill}, as the C library knows how the processor likes it best.
   * Nothing stops this thread meanwhile, the garbage collector neither.
   *
   * @param byteSize at most a mebibyte, so that nobody waits longer than 0.1 ms for that
   */
  public static void zeroPages(long address, long byteSize) {
    MethodHandle memset = Handles.MEMSET;
    if (memset == null) {
      throw new IllegalStateException("What was not allocated here is not zeroed here: " + address);
    }
    try {
      long same = (long) memset.invokeExact(address, 0, byteSize);
      assert same == address;
    } catch (Throwable failure) {
      throw CLibrary.unexpected(failure);
    }
  }

  /**
   * For the checks of invariants.
   *
   * @param what what to call it in the failure
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
   * All of memory, to be written to by address: a slice of it costs one check of bounds, where
   * {@code reinterpret} also looks for its caller, some hundred nanoseconds before C2 has compiled
   * it.
   */
  private static final class All {
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** A block that nobody writes to. */
  private static final class Zeroes {
    static final long BYTE_SIZE = 4096;
    static final MemorySegment SOURCE = Arena.global().allocate(BYTE_SIZE, CACHE_LINE).asReadOnly();
  }

  /**
   * All or none: each is null if those before it are. Pointers are declared as integers: all 64-bit
   * ABIs pass both alike.
   */
  private static final class Handles {
    static final @Nullable MethodHandle CALLOC =
        handle(
            "calloc",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

    static final @Nullable MethodHandle FREE =
        CALLOC == null ? null : handle("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    static final @Nullable MethodHandle MEMSET =
        FREE == null
            ? null
            : handle(
                "memset",
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG),
                Linker.Option.critical(false));

    private static @Nullable MethodHandle handle(
        String name, FunctionDescriptor type, Linker.Option... options) {
      String consequence = "Slabs can't be allocated, so arenas are the JDK's own";
      return CLibrary.findOrTell(consequence, name, type, options);
    }
  }
}
