package dev.rockpool.internal;

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
}
