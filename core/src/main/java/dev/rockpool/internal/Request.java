package dev.rockpool.internal;

import java.lang.foreign.MemoryLayout;

/** A request for memory, as arenas get it. */
public final class Request {
  private Request() {}

  /** Whether the JDK's arenas accept these; they throw for others. */
  public static boolean isValid(long byteSize, long byteAlignment) {
    return byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
  }

  /**
   * Returns the bytes that a valid request takes of a limit: with padding for alignment, as in the
   * JDK. An overflow is more than any limit.
   */
  public static long total(long byteSize, long byteAlignment) {
    long total = byteSize + Math.max(0, byteAlignment - NativeMemory.ALIGNMENT);
    return total < 0 ? Long.MAX_VALUE : total;
  }

  /** Returns the bytes of an array; -1 if the count is negative, or too large for any memory. */
  public static long byteSize(MemoryLayout element, long count) {
    return count < 0 || Math.multiplyHigh(element.byteSize(), count) != 0
        ? -1
        : Math.max(-1, element.byteSize() * count);
  }
}
