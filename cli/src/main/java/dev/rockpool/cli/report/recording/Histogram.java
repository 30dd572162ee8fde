package dev.rockpool.cli.report.recording;

import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** A count for each bucket of a scale. */
public final class Histogram {
  /**
   * The buckets, each named by the least value in it. Other names are refused, therefore a
   * histogram can't grow beyond its scale.
   */
  public enum Scale {
    /** Bytes: 0 to 63 each on its own, then powers of two. */
    BYTES,
    /**
     * Bytes of a block: multiples of 16 to 1024, each on its own; then those up to 2047, then
     * powers of two.
     */
    FOOTPRINTS,
    /** Other arenas that were open: 0 to 14 each on its own, then all that is more. */
    DEPTHS,
    /** Alignments, which are powers of two. */
    ALIGNMENTS;

    /** The bucket of {@link #DEPTHS} for this many arenas and more. */
    public static final long DEEPEST = 15;

    private static final long BEHIND_EXACT = 1025;

    boolean isBucket(long key) {
      boolean isPowerOfTwo = key > 0 && (key & (key - 1)) == 0;
      return switch (this) {
        case BYTES -> (key >= 0 && key < 64) || isPowerOfTwo;
        case FOOTPRINTS ->
            key <= 1024
                ? key >= 0 && key % 16 == 0
                : key == BEHIND_EXACT || (key >= 2048 && isPowerOfTwo);
        case DEPTHS -> key >= 0 && key <= DEEPEST;
        case ALIGNMENTS -> isPowerOfTwo;
      };
    }

    /** The greatest value in the bucket {@code key}. */
    public long last(long key) {
      long lastOfPower = key + (key - 1);
      return switch (this) {
        case BYTES -> key < 64 ? key : lastOfPower;
        case FOOTPRINTS -> key <= 1024 ? key : key == BEHIND_EXACT ? 2047 : lastOfPower;
        case DEPTHS -> key < DEEPEST ? key : Long.MAX_VALUE;
        case ALIGNMENTS -> key;
      };
    }
  }

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
  static Histogram parse(Scale scale, String text) {
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

  Histogram plus(Histogram other) {
    Histogram sum = new Histogram(scale);
    sum.counts.putAll(counts);
    other.counts.forEach((key, count) -> sum.counts.merge(key, count, Math::addExact));
    return sum;
  }

  /** Returns the count of all buckets. */
  public long total() {
    return within(0, Long.MAX_VALUE);
  }

  /** Returns the count of the bucket {@code key}. */
  public long in(long key) {
    return counts.getOrDefault(key, 0L);
  }

  /** Returns the count of the buckets whose least value is from {@code least} to {@code most}. */
  public long within(long least, long most) {
    return counts.subMap(least, true, most, true).values().stream().mapToLong(n -> n).sum();
  }

  /** Returns the count of the buckets without a value above {@code most}. */
  public long upTo(long most) {
    Long key = counts.floorKey(most);
    return within(0, most) - (key != null && scale.last(key) > most ? in(key) : 0);
  }

  public Scale scale() {
    return scale;
  }

  /** Buckets that are not empty, from the least on. */
  public SortedMap<Long, Long> buckets() {
    return Collections.unmodifiableSortedMap(counts);
  }
}
