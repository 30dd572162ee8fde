package dev.rockpool.arena;

import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * An arena's use of its slab: finds it zeroed, writes to all of it, zeroes it. The slab is as small
 * as they come, so that states by the million need little memory.
 */
@SuppressWarnings("restricted")
final class Words {
  /** Bytes in a slab. */
  static final int BYTE_SIZE = NativeMemory.CACHE_LINE;

  /** Words in the slab of a model. */
  static final int COUNT = BYTE_SIZE / Long.BYTES;

  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Words() {}

  /** Reads as an arena that just got the slab at {@code address}, and leaves data there. */
  static String findAndWrite(long address) {
    long found = 0;
    for (int offset = 0; offset < BYTE_SIZE; offset += Long.BYTES) {
      found |= MEMORY.get(ValueLayout.JAVA_LONG, address + offset);
      MEMORY.set(ValueLayout.JAVA_LONG, address + offset, -1);
    }
    return found == 0 ? "zero" : "data";
  }

  /** The same for the slab of a model. */
  static String findAndWrite(long[] slab) {
    long found = 0;
    for (int i = 0; i < slab.length; i++) {
      found |= slab[i];
      slab[i] = -1;
    }
    return found == 0 ? "zero" : "data";
  }

  static void zero(long address) {
    NativeMemory.zero(address, BYTE_SIZE);
  }

  static void zero(long[] slab) {
    Arrays.fill(slab, 0);
  }
}
