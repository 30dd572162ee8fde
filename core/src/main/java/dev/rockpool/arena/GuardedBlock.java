package dev.rockpool.arena;

import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An allocation of a {@link CheckedArena}: a malloc of its own, with guard bytes before and behind
 * the segment. All that is not the segment is guard, what is skipped for alignment included.
 *
 * <pre>
 *   from malloc                start                     start + byteSize
 *   | guard: 64 bytes or more  | segment, zeroed         | guard: 64 bytes |
 *   | poison, once its arena is closed                                     |
 * </pre>
 *
 * <p>Owned by the arena, then by the {@link Quarantine}: one thread at a time.
 */
final class GuardedBlock {
  /** Bytes of a guard: what writes past the end by a row of 64-bit numbers still hits it. */
  static final long GUARD_BYTE_SIZE = 64;

  /** No character, no small number, no part of a pointer; the same as in other debug heaps. */
  static final byte GUARD = (byte) 0xfd;

  /** As above; eight of them are no address, so that following such a pointer traps at once. */
  static final byte POISON = (byte) 0xdd;

  /** Instead of an offset: nothing is damaged. */
  static final long INTACT = Long.MIN_VALUE;

  /** Sizes and alignments up to this one stay in a long, whatever is added to them here. */
  private static final long MOST = 1L << 48;

  private static final int MOST_SHOWN = 16;

  /** All of it, by address: so nothing is allocated to fill or to compare, where a close may be. */
  private static final MemorySegment MEMORY = NativeMemory.slice(0, Long.MAX_VALUE);

  private final long byteSize;
  private final int number;
  private final @Nullable StackTraceElement opener;

  private long address;
  private long start;
  private long end;

  /** The next in the list of the arena, then of the quarantine. */
  @Nullable GuardedBlock next;

  private GuardedBlock(long byteSize, int number, @Nullable StackTraceElement opener) {
    this.byteSize = byteSize;
    this.number = number;
    this.opener = opener;
  }

  /**
   * Allocates one.
   *
   * @param byteSize at least 0
   * @param byteAlignment a power of two
   * @param number which allocation of its arena this is, from 1 on
   * @param opener who opened the arena, if that is known
   * @return null if the system has no memory
   */
  static @Nullable GuardedBlock allocate(
      long byteSize, long byteAlignment, int number, @Nullable StackTraceElement opener) {
    if (byteSize > MOST || byteAlignment > MOST) {
      return null;
    }
    // Before the memory, so that a failure in here does not lose any.
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

  /** The segment, with the lifetime of {@code arena}. */
  MemorySegment segment(Arena arena) {
    return NativeMemory.segment(start, byteSize, arena);
  }

  /** Bytes from malloc. */
  long total() {
    return end - address;
  }

  /** Where in the segment the first guard byte was written to, negative before it. */
  long overrun() {
    long before = firstOther(address, start, GUARD);
    if (before < start) {
      return before - start;
    }
    long behind = firstOther(start + byteSize, end, GUARD);
    return behind < end ? behind - start : INTACT;
  }

  /** Fills all of it; from then on only {@link #lateWrite} tells. */
  void poison() {
    fill(address, end, POISON);
  }

  /** Where in the segment the first byte was written to since {@link #poison}. */
  long lateWrite() {
    long written = firstOther(address, end, POISON);
    return written < end ? written - start : INTACT;
  }

  void free() {
    NativeMemory.free(address);
  }

  /** Copies what is filled behind itself, twice as much each time. */
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
   * The address of the first byte that is not {@code expected}, or {@code to}. Where the first is,
   * and each equals the one behind it, all are.
   */
  private static long firstOther(long from, long to, byte expected) {
    if (MEMORY.get(ValueLayout.JAVA_BYTE, from) != expected) {
      return from;
    }
    long alike = MemorySegment.mismatch(MEMORY, from, to - 1, MEMORY, from + 1, to);
    return alike < 0 ? to : from + alike + 1;
  }

  /** The rule, the values, and what to do, for what {@link #overrun} has found. */
  String describeOverrun(long offset) {
    return "Memory beside a segment is not written to: "
        + found(offset, offset < 0 ? start : end)
        + ", guard bytes are "
        + HexFormat.of().toHexDigits(GUARD)
        + "; its arena was opened by "
        + opener()
        + ". Look at what native code is told of that segment: its size, an index, room for a"
        + " terminating zero.";
  }

  /** The same for {@link #lateWrite}. */
  String describeLateWrite(long offset) {
    return "Memory of a closed arena is not written to: "
        + found(offset, end)
        + ", freed bytes are "
        + HexFormat.of().toHexDigits(POISON)
        + "; its arena was opened by "
        + opener()
        + ". Keep that arena open as long as native code has the address.";
  }

  private String found(long offset, long limit) {
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
        + HexFormat.ofDelimiter(" ").formatHex(bytes);
  }

  private String opener() {
    return opener == null ? "a class that is not known" : opener.toString();
  }
}
