package dev.rockpool.cli.report.recording;

/** Numbers from recordings, which somebody may have forged, and their sums. */
final class Sums {
  /** More than any JVM counts: as nanoseconds, 146 years. */
  private static final long MOST = 1L << 62;

  private Sums() {}

  /** Returns {@code number}, and refuses what no JVM can have. */
  static long checked(long number) {
    if (number < 0 || number > MOST) {
      throw new IllegalArgumentException("a number must be from 0 to 2^62: " + number);
    }
    return number;
  }

  /** Returns the sum; the largest number if that is larger, which needs several forged files. */
  static long plus(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
