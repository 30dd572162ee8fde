package dev.rockpool.cli.report.recording;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A count for each bucket of bytes: 0 to 63 each on its own, then powers of two. A bucket is named
 * by the least value in it, and other names are refused, so a histogram has at most 121 buckets.
 */
public final class Histogram {
  private final TreeMap<Long, Long> counts = new TreeMap<>();

  /**
   * Reads "bucket=count bucket=count ...".
   *
   * @throws IllegalArgumentException if {@code text} is anything else
   */
  static Histogram parse(String text) {
    Histogram histogram = new Histogram();
    for (String entry : text.isBlank() ? new String[0] : text.strip().split(" +")) {
      int equals = entry.indexOf('=');
      try {
        long key = Long.parseLong(entry.substring(0, Math.max(0, equals)));
        histogram.add(key, Long.parseLong(entry.substring(equals + 1)));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "an entry of a histogram must be BUCKET=COUNT: \"" + entry + "\"", e);
      }
    }
    return histogram;
  }

  private void add(long key, long count) {
    if (key < 0 || (key >= 64 && Long.bitCount(key) != 1)) {
      throw new IllegalArgumentException("a histogram of bytes has no bucket " + key);
    }
    counts.merge(key, Sums.checked(count), Sums::plus);
  }

  Histogram plus(Histogram other) {
    Histogram sum = new Histogram();
    sum.counts.putAll(counts);
    other.counts.forEach((key, count) -> sum.counts.merge(key, count, Sums::plus));
    return sum;
  }

  public long total() {
    return within(0, Long.MAX_VALUE);
  }

  /** Returns the count of the buckets whose least value is from {@code least} to {@code most}. */
  public long within(long least, long most) {
    return counts.subMap(least, true, most, true).values().stream().reduce(0L, Sums::plus);
  }

  /** Returns the buckets with a count, from the least on. */
  public SortedMap<Long, Long> buckets() {
    return Collections.unmodifiableSortedMap(counts);
  }
}
