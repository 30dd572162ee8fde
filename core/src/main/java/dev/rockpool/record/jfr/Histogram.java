package dev.rockpool.record.jfr;

import java.util.function.IntToLongFunction;

/**
 * Counts by bucket, and their text: {@code lower=count lower=count ...}, empty buckets left out.
 */
final class Histogram {
  private final long[] counts;

  Histogram(int buckets) {
    counts = new long[buckets];
  }

  void add(int bucket, long count) {
    counts[bucket] += count;
  }

  /** The text, with what {@code lower} says for a bucket as its name. */
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
