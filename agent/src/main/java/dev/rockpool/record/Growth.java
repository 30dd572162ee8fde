package dev.rockpool.record;

/**
 * Whether an amount grows, which is noted once a second or so. It grows in seconds with a new peak,
 * until it falls half the way back to where the growth began. Not for several threads at once.
 */
final class Growth {
  private int looks;
  private int lastPeak;
  private int peaks;
  private long peak;
  private long start;

  void note(long amount) {
    looks++;
    if (amount > peak) {
      peaks++;
      lastPeak = looks;
      peak = amount;
    } else if (amount - start < (peak - start) / 2) {
      peaks = 0;
      peak = amount;
      start = amount;
    }
  }

  /** Returns the seconds with a new peak; 0 for what grew at first, and then no longer. */
  int seconds() {
    return (looks - lastPeak) * 3 > looks ? 0 : peaks;
  }
}
