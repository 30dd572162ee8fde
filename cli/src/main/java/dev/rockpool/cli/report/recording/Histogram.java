package dev.rockpool.cli.report.recording;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A count for each bucket of a scale. */
public final class Histogram {
  /** More than any JVM can count, and still exact where a number is a double. */
  private static final long MOST = 1L << 53;

  private final Scale scale;
  private final TreeMap<Long, Long> counts = new TreeMap<>();

  public Histogram(Scale scale) {
    this.scale = scale;
  }

  /**
   * Reads "bucket=count bucket=count ...".
   *
   * @throws IllegalArgumentException if {@code text} is anything else
   */
  public static Histogram parse(Scale scale, String text) {
    Histogram histogram = new Histogram(scale);
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

  /** {@code count}, which a recording may hold; refused where no JVM counts so many. */
  static long checked(long count) {
    if (count < 0 || count > MOST) {
      throw new IllegalArgumentException("a count must be from 0 to 2^53: " + count);
    }
    return count;
  }

  /** Adds {@code count} to the bucket {@code key}. */
  public void add(long key, long count) {
    if (!scale.isBucket(key)) {
      throw new IllegalArgumentException(
          "a histogram of " + scale.name().toLowerCase(Locale.ROOT) + " has no bucket " + key);
    }
    counts.merge(key, checked(count), Math::addExact);
  }

  void add(Histogram other) {
    other.counts.forEach((key, count) -> counts.merge(key, count, Math::addExact));
  }

  /** All of them. */
  public long total() {
    return sum(counts);
  }

  /** Those in the bucket {@code key}. */
  public long in(long key) {
    return counts.getOrDefault(key, 0L);
  }

  /** Those in buckets of which every value is {@code most} or less. */
  public long upTo(long most) {
    long sum = 0;
    for (Map.Entry<Long, Long> bucket : counts.headMap(most, true).entrySet()) {
      sum += scale.last(bucket.getKey()) <= most ? bucket.getValue() : 0;
    }
    return sum;
  }

  /** Those in buckets that have a value of {@code most} or less. */
  public long perhapsUpTo(long most) {
    return sum(counts.headMap(most, true));
  }

  /** Those in buckets of which every value is {@code least} or more. */
  public long from(long least) {
    return sum(counts.tailMap(least, true));
  }

  /** Those in buckets of which every value is more than {@code most}. */
  public long fromBehind(long most) {
    return sum(counts.tailMap(most, false));
  }

  public Scale scale() {
    return scale;
  }

  /** Buckets that are not empty, from the least on. */
  public SortedMap<Long, Long> buckets() {
    return Collections.unmodifiableSortedMap(counts);
  }

  private static long sum(SortedMap<Long, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
