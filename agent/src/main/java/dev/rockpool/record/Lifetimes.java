package dev.rockpool.record;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** A random sample of lifetimes. Not for several threads at once. */
final class Lifetimes {
  private static final int SIZE = 63;

  /** In the first {@code seen} elements. */
  private final long[] nanos = new long[SIZE];

  private int seen;

  /** Keeps each of the lifetimes so far with the same probability. */
  void add(long life) {
    if (seen < Integer.MAX_VALUE) {
      int place = seen < SIZE ? seen : ThreadLocalRandom.current().nextInt(seen + 1);
      seen++;
      if (place < SIZE) {
        nanos[place] = life;
      }
    }
  }

  long median() {
    long[] sorted = Arrays.copyOf(nanos, Math.min(seen, SIZE));
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
