package dev.rockpool.direct;

import java.util.Arrays;

/**
 * Kept blocks of one size. The last one to come is the first to go: the caches of the processor
 * know it best. Guarded by the monitor of its {@link KeptMemory}.
 */
final class Shelf {
  private static final int FIRST_LENGTH = 16;

  private static final long[] NONE = {};

  private long[] addresses = NONE;

  /** Its blocks. Whoever takes the last one to give it up counts it off here: no call may fail. */
  int count;

  private long byteSize;
  private long lastUse;

  /** The smallest {@link #count} since {@link #idle} was last asked. */
  int lowest;

  /** Of each of its blocks; 0 at first. */
  long byteSize() {
    return byteSize;
  }

  /** Is for blocks of that size from now on. It is empty. */
  void setByteSize(long newByteSize) {
    byteSize = newByteSize;
    lowest = 0;
  }

  int count() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** The {@code use} of the last push or pop. */
  long lastUse() {
    return lastUse;
  }

  /** Puts a block on it; says no if the heap has no room to remember it. */
  boolean push(long address, long use) {
    if (count == addresses.length && !grows()) {
      return false;
    }
    addresses[count++] = address;
    lastUse = use;
    return true;
  }

  private boolean grows() {
    try {
      addresses = Arrays.copyOf(addresses, Math.max(FIRST_LENGTH, 2 * count));
      return true;
    } catch (OutOfMemoryError noRoom) {
      return false;
    }
  }

  /** The address of the block that came last. It is not empty. */
  long last() {
    return addresses[count - 1];
  }

  /** Takes a block from it. It is not empty. */
  long pop(long use) {
    long address = addresses[--count];
    if (count < lowest) { // not Math.min: no call where the stack might end
      lowest = count;
    }
    lastUse = use;
    return address;
  }

  /** How many nobody needed since this was last asked: so many were there all the time. */
  int idle() {
    int idle = lowest;
    lowest = count;
    if (count == 0) {
      addresses = NONE;
    }
    return idle;
  }

  void checkNoneTwice() {
    if (Arrays.stream(addresses, 0, count).distinct().count() != count) {
      throw new AssertionError("A block of " + byteSize + " bytes is kept twice");
    }
  }
}
