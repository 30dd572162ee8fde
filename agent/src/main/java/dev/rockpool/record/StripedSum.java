package dev.rockpool.record;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A number that many threads add to at once, each mostly in a cache line of its own. Not a {@code
 * LongAdder}, which may need heap where memory is freed.
 */
final class StripedSum {
  private static final int STRIPES =
      Integer.highestOneBit(Math.min(8, Runtime.getRuntime().availableProcessors()));

  private static final int LINE = 8;

  private final AtomicLongArray stripes = new AtomicLongArray(STRIPES * LINE);

  void add(long number) {
    int stripe = (int) Thread.currentThread().threadId() & (STRIPES - 1);
    stripes.getAndAdd(stripe * LINE, number);
  }

  /** Returns the sum, perhaps without what other threads add meanwhile. */
  long get() {
    long sum = 0;
    for (int i = 0; i < STRIPES; i++) {
      sum += stripes.get(i * LINE);
    }
    return sum;
  }

  static long heapBytes() {
    return 32 + (long) STRIPES * LINE * Long.BYTES;
  }
}
