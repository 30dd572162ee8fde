package dev.rockpool.record.jfr;

import java.util.function.IntToLongFunction;

/** Counts by bucket, with text form {@code lower=count lower=count ...} without empty buckets. */
final class Histogram {
  private final long[] counts;

  Histogram(int buckets) {
    counts = new long[buckets];
  }

  void add(int bucket, long count) {
    counts[bucket] += count;
  }

  /** Returns the text, where {@code lower} gives the name of a bucket. */
  String text(IntToLongFunction lower) {
    StringBuilder text = new StringBuilder();
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (counts[bucket] != 0) {
        text.append(text.isEmpty() ? "" : " ")
            .append(lower.applyAsLong(bucket))
            .append('=')
            .append(counts[bucket]);
      }
    }
    return text.toString();
  }
}
