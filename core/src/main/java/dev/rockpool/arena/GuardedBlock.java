package dev.rockpool.arena;

import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An allocation of a {@link CheckedArena}: a malloc of its own, with guard bytes before and after
 * the segment. All bytes outside the segment are guard bytes, including those for alignment.
 *
 * <pre>
 *   from malloc                start                     start + byteSize
 *   | guard: 64 bytes or more  | segment, zeroed         | guard: 64 bytes |
 *   | poison, once its arena is closed                                     |
 * </pre>
 *
 * <p>Owned by the arena, then by the {@link Quarantine}, so used by one thread at a time.
 */
final class GuardedBlock {
  /** Bytes of a guard, enough to catch a write that is off by several 64-bit numbers. */
  static final long GUARD_BYTE_SIZE = 64;

  /** Unlike a character, a small number or part of a pointer; other debug heaps use it, too. */
  static final byte GUARD = (byte) 0xfd;

  /** As {@link #GUARD}. Eight such bytes are no valid address, so following the pointer traps. */
  static final byte POISON = (byte) 0xdd;

  static final long INTACT = Long.MIN_VALUE;

  /** Largest size and alignment for which adding padding cannot overflow a long. */
  private static final long MOST = 1L << 48;

  private static final int MOST_SHOWN = 16;

  /** All memory, by address, so that filling and comparing in close needs no heap. */
  private static final MemorySegment MEMORY = NativeMemory.slice(0, Long.MAX_VALUE);

  private final long byteSize;
  private final int number;
  private final @Nullable StackTraceElement opener;

  private long address;
  private long start;
  private long end;

  /** Next block in the list of the arena, then of the quarantine. */
  @Nullable GuardedBlock next;

  private GuardedBlock(long byteSize, int number, @Nullable StackTraceElement opener) {
    this.byteSize = byteSize;
    this.number = number;
    this.opener = opener;
  }

  /**
   * Allocates a block, or returns null if the system has no memory.
   *
   * @param number number of the allocation in its arena, from 1 on
   * @param opener opener of the arena, if known
   */
  static @Nullable GuardedBlock allocate(
      long byteSize, long byteAlignment, int number, @Nullable StackTraceElement opener) {
    if (byteSize > MOST || byteAlignment > MOST) {
      return null;
    }
    // Before allocating memory, because a failure in here would lose the memory.
    GuardedBlock block = new GuardedBlock(byteSize, number, opener);
    long alignment = Math.max(byteAlignment, NativeMemory.ALIGNMENT);
    long total =
        GUARD_BYTE_SIZE + (alignment - NativeMemory.ALIGNMENT) + byteSize + GUARD_BYTE_SIZE;
    long address = NativeMemory.allocateZeroed(total);
    if (address == 0) {
      return null;
    }
    block.address = address;
    block.start = (address + GUARD_BYTE_SIZE + alignment - 1) & -alignment;
    block.end = address + total;
    fill(address, block.start, GUARD);
    fill(block.start + byteSize, block.end, GUARD);
    return block;
  }

  /** Returns the segment, in the scope of an arena from {@link NativeMemory#confinedArena}. */
  MemorySegment segment(Arena arena) {
    return NativeMemory.confinedSegment(start, byteSize, arena);
  }

  long total() {
    return end - address;
  }

  /** Returns the segment offset of the first damaged guard byte, negative before the segment. */
  long overrun() {
    long before = firstOther(address, start, GUARD);
    if (before < start) {
      return before - start;
    }
    long behind = firstOther(start + byteSize, end, GUARD);
    return behind < end ? behind - start : INTACT;
  }

  /** Fills the whole block; from then on only {@link #lateWrite} is valid. */
  void poison() {
    fill(address, end, POISON);
  }

  /** Returns the segment offset of the first byte that was written to since {@link #poison}. */
  long lateWrite() {
    long written = firstOther(address, end, POISON);
    return written < end ? written - start : INTACT;
  }

  void free() {
    NativeMemory.free(address);
  }

  /** Copies the filled part behind itself, so that each copy doubles it. */
  private static void fill(long from, long to, byte value) {
    MEMORY.set(ValueLayout.JAVA_BYTE, from, value);
    long filled = 1;
    while (filled < to - from) {
      long more = Math.min(filled, to - from - filled);
      MemorySegment.copy(MEMORY, from, MEMORY, from + filled, more);
      filled += more;
    }
  }

  /**
   * Returns the address of the first byte that is not {@code expected}, or {@code to} if none is.
   * All bytes are, if the first one is and each byte equals the next one.
   */
  private static long firstOther(long from, long to, byte expected) {
    if (MEMORY.get(ValueLayout.JAVA_BYTE, from) != expected) {
      return from;
    }
    long alike = MemorySegment.mismatch(MEMORY, from, to - 1, MEMORY, from + 1, to);
    return alike < 0 ? to : from + alike + 1;
  }

  String describeOverrun(long offset) {
    return "Memory beside a segment must not be written to: "
        + found(offset, offset < 0 ? start : end, "guard", GUARD)
        + ". Look at what native code is told of that segment: its size, an index, room for a"
        + " terminating zero.";
  }

  String describeLateWrite(long offset) {
    return "Memory of a closed arena must not be written to: "
        + found(offset, end, "freed", POISON)
        + ". Keep that arena open as long as native code has the address.";
  }

  private String found(long offset, long limit, String kind, byte expected) {
    long first = start + offset;
    byte[] bytes =
        NativeMemory.slice(first, Math.min(MOST_SHOWN, limit - first))
            .toArray(ValueLayout.JAVA_BYTE);
    return "byte "
        + offset
        + " of a segment of "
        + byteSize
        + " bytes (allocation "
        + number
        + " of its arena) and those behind it hold "
        + HexFormat.ofDelimiter(" ").formatHex(bytes)
        + ", "
        + kind
        + " bytes are "
        + HexFormat.of().toHexDigits(expected)
        + "; its arena was opened by "
        + (opener == null ? "a class that is not known" : opener);
  }
}
