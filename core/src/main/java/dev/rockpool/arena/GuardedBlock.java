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
 *   0                          offset                    offset + byteSize
 *   | guard: 64 bytes or more  | segment, zeroed         | guard: 64 bytes |
 *   | poison, once its arena is closed                                     |
 * </pre>
 *
 * <p>Owned by the arena, then by the {@link Quarantine}, so used by one thread at a time.
 *
 * @param memory all memory from malloc, in the global scope
 * @param number number of the allocation in its arena, from 1 on
 * @param opener who opened the arena; text only, so that an undeployed application can be unloaded
 */
record GuardedBlock(MemorySegment memory, long offset, long byteSize, int number, String opener) {
  /** Bytes of a guard, enough to catch a write that is off by several 64-bit numbers. */
  static final long GUARD_BYTE_SIZE = 64;

  /** Unlike a character, a small number or part of a pointer; other debug heaps use it, too. */
  static final byte GUARD = (byte) 0xfd;

  /** As {@link #GUARD}. Eight such bytes are no valid address, so following the pointer traps. */
  static final byte POISON = (byte) 0xdd;

  private static final int SHOWN = 16;

  /** Largest size, more than any system has, to which padding can be added without overflow. */
  static final long MOST = 1L << 48;

  /**
   * Returns null if the system has no memory.
   *
   * @param byteSize from 0 to {@link #MOST}
   * @param byteAlignment a power of two for which the JDK has just found memory
   */
  static @Nullable GuardedBlock allocate(
      long byteSize, long byteAlignment, int number, String opener) {
    long alignment = Math.max(byteAlignment, NativeMemory.ALIGNMENT);
    long total = 2 * GUARD_BYTE_SIZE + (alignment - NativeMemory.ALIGNMENT) + byteSize;
    long address = NativeMemory.allocateZeroed(total);
    if (address == 0) {
      return null;
    }
    MemorySegment memory = NativeMemory.slice(address, total);
    long offset = ((address + GUARD_BYTE_SIZE + alignment - 1) & -alignment) - address;
    memory.asSlice(0, offset).fill(GUARD);
    memory.asSlice(offset + byteSize).fill(GUARD);
    return new GuardedBlock(memory, offset, byteSize, number, opener);
  }

  /** Returns the segment between the guards, in the scope of {@code lifetime}. */
  @SuppressWarnings("restricted")
  MemorySegment segment(Arena lifetime) {
    return memory.asSlice(offset, byteSize).reinterpret(lifetime, null);
  }

  /** Returns a description of the first damaged guard byte, or null if all are intact. */
  @Nullable String findOverrun() {
    long before = firstOther(GUARD, 0, offset);
    long limit = before < offset ? offset : memory.byteSize();
    long first = before < offset ? before : firstOther(GUARD, offset + byteSize, limit);
    return first == memory.byteSize()
        ? null
        : "Memory beside a segment must not be written to: "
            + describe(first, limit, "guard bytes are fd")
            + ". Check the size and the indexes that native code gets, and the room for a"
            + " terminating zero.";
  }

  /** Fills the whole block; from then on {@link #findOverrun} is not valid any more. */
  void poison() {
    memory.fill(POISON);
  }

  /** Returns a description of the first byte written to since {@link #poison}, or null if none. */
  @Nullable String findLateWrite() {
    long first = firstOther(POISON, 0, memory.byteSize());
    return first == memory.byteSize()
        ? null
        : "Memory of a closed arena must not be written to: "
            + describe(first, memory.byteSize(), "freed bytes are dd")
            + ". Keep that arena open as long as native code has the address.";
  }

  void free() {
    NativeMemory.free(memory.address());
  }

  /**
   * Returns the index of the first byte that is not {@code expected}, or {@code to} if none is. All
   * bytes are, if the first one is and each byte equals the next one. This lets the JVM compare
   * them by the word.
   */
  private long firstOther(byte expected, long from, long to) {
    if (memory.get(ValueLayout.JAVA_BYTE, from) != expected) {
      return from;
    }
    long alike = MemorySegment.mismatch(memory, from, to - 1, memory, from + 1, to);
    return alike < 0 ? to : from + 1 + alike;
  }

  private String describe(long first, long limit, String expected) {
    MemorySegment shown = memory.asSlice(first, Math.min(SHOWN, limit - first));
    String found = HexFormat.ofDelimiter(" ").formatHex(shown.toArray(ValueLayout.JAVA_BYTE));
    return ("byte %s of a segment of %s bytes (allocation %s of its arena) and those behind it hold"
            + " %s, %s; its arena was opened by %s")
        .formatted(first - offset, byteSize, number, found, expected, opener);
  }
}
