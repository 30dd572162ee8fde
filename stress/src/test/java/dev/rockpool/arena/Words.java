package dev.rockpool.arena;

import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * An arena's use of its block: finds it zeroed, writes to all of it, zeroes it. The block is as
 * small as they come, so that states by the million need little memory.
 */
@SuppressWarnings("restricted")
final class Words {
  /** Bytes in a block. */
  static final int BYTE_SIZE = NativeMemory.CACHE_LINE;

  /** Words in the block of a model. */
  static final int COUNT = BYTE_SIZE / Long.BYTES;

  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** A microsecond at most, on processors as they are. */
  private static final int PAUSES = 10;

  private Words() {}

  /** Between two steps: makes sure that a short run shows what can happen there. */
  static void letOthersComeBetween() {
    for (int i = 0; i < PAUSES; i++) {
      Thread.onSpinWait();
    }
  }

  /** Reads as an arena that just got the block at {@code address}, and leaves data there. */
  static String findAndWrite(long address) {
    long found = 0;
    for (int offset = 0; offset < BYTE_SIZE; offset += Long.BYTES) {
      found |= MEMORY.get(ValueLayout.JAVA_LONG, address + offset);
      MEMORY.set(ValueLayout.JAVA_LONG, address + offset, -1);
    }
    return found == 0 ? "zero" : "data";
  }

  /** The same for the block of a model. */
  static String findAndWrite(long[] block) {
    long found = 0;
    for (int i = 0; i < block.length; i++) {
      found |= block[i];
      block[i] = -1;
    }
    return found == 0 ? "zero" : "data";
  }

  static void zero(long address) {
    NativeMemory.zero(address, BYTE_SIZE);
  }

  static void zero(long[] block) {
    Arrays.fill(block, 0);
  }
}
