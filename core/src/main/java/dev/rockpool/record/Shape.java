package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;

/**
 * The recorded properties of a closed arena, packed into one number, so that one comparison finds
 * the tally. If sizes are constants in the program, nearly all of the shape is a constant in
 * compiled code.
 *
 * <pre>
 *   depth 4 | site 13 | virtual 1 | served 2 | alignment 6 | footprint 7 | largest 7 | total 7  (bits)
 * </pre>
 *
 * <p>Depth comes first, so that a depth beyond {@link #DEEPEST} takes no other part's bits until
 * {@link #reduced} limits it, and a depth's sign is lost. A small single allocation tells footprint
 * and largest size; its shape has a mark instead, so that nothing but the total must be computed.
 *
 * <p>Totals and largest sizes have one bucket for each size up to 63 bytes, and then one for each
 * power of two. Footprints have one bucket for each multiple of 16 up to 1024, then one up to 2047,
 * and then one for each power of two.
 */
final class Shape {
  /** Served from the pool. */
  static final int POOL = 0;

  /** Served by the fallback at least once, in a pooled arena. */
  static final int REGULAR = 1;

  /** Served by an arena of the JDK. */
  static final int JDK = 2;

  /** The greatest recorded depth, which stands for all beyond, too. */
  static final int DEEPEST = 15;

  static final int SITES = 1 << 13;

  /** A power of two, above the three sources. */
  private static final int SOURCES = 1 << 2;

  /** Number of buckets for each of totals, largest sizes, and footprints. */
  static final int BUCKETS = 1 << 7;

  private static final int LARGEST = 7;
  private static final int FOOTPRINT = 14;
  private static final int ALIGNMENT = 21;
  private static final int SERVED = 27;
  private static final int VIRTUAL = 29;
  private static final int SITE = 30;
  private static final int DEPTH = 43;
  private static final long BELOW_DEPTH = (1L << DEPTH) - 1;

  /** In place of a largest size, which is the total. Larger than the bucket of any size. */
  private static final long ONE = (BUCKETS - 1) << LARGEST;

  private static final int FIRST_POWER = 64;
  private static final int FIRST_POWER_LOG = 6;
  private static final int GRANULE_LOG = 4;
  private static final int GRANULE = 1 << GRANULE_LOG;
  private static final int MOST_EXACT = 1024;
  private static final int BEYOND_EXACT = (MOST_EXACT >> GRANULE_LOG) + 1;
  private static final int FOOTPRINT_POWER_LOG = 11;
  private static final int HASH_BITS = 32;

  private Shape() {}

  /**
   * Returns the shape of an arena.
   *
   * @param depth number of arenas that the thread had open before; its highest bit is ignored
   * @param total bytes requested
   * @param footprint bytes that the arena would take of blocks
   * @param alignments all requested alignments, as one set of bits; not 0
   */
  @ForceInline
  static long of(
      int site,
      boolean isVirtual,
      int served,
      int depth,
      long total,
      long footprint,
      long largest,
      long alignments) {
    long shape = of(site, isVirtual, served, depth, alignments);
    shape |= (long) footprintBucket(footprint) << FOOTPRINT | (long) bucket(largest) << LARGEST;
    return shape | bucket(total);
  }

  /** Returns the shape of an arena with one allocation, of an {@link #isExact exact} total. */
  @ForceInline
  static long ofOne(
      int site, boolean isVirtual, int served, int depth, long total, long alignments) {
    return of(site, isVirtual, served, depth, alignments) | ONE | total;
  }

  @ForceInline
  private static long of(int site, boolean isVirtual, int served, int depth, long alignments) {
    return ((long) depth << DEPTH)
        | ((long) site << SITE)
        | ((isVirtual ? 1L : 0) << VIRTUAL)
        | ((long) served << SERVED)
        | ((long) log(alignments) << ALIGNMENT);
  }

  /** Returns the shape to count: depths beyond the greatest are one. */
  static long reduced(long shape) {
    return depth(shape) < DEEPEST ? shape : (shape & BELOW_DEPTH) | (long) DEEPEST << DEPTH;
  }

  static int site(long shape) {
    return (int) (shape >>> SITE) & (SITES - 1);
  }

  static boolean isVirtual(long shape) {
    return ((shape >>> VIRTUAL) & 1) != 0;
  }

  static int served(long shape) {
    return (int) (shape >>> SERVED) & (SOURCES - 1);
  }

  static int depth(long shape) {
    return (int) (shape >>> DEPTH);
  }

  static int total(long shape) {
    return (int) shape & (BUCKETS - 1);
  }

  static int footprint(long shape) {
    return isOne(shape)
        ? (Math.max(total(shape), 1) + GRANULE - 1) >> GRANULE_LOG
        : (int) (shape >>> FOOTPRINT) & (BUCKETS - 1);
  }

  static int largest(long shape) {
    return isOne(shape) ? total(shape) : (int) (shape >>> LARGEST) & (BUCKETS - 1);
  }

  private static boolean isOne(long shape) {
    return (shape & ONE) == ONE;
  }

  static int alignmentLog(long shape) {
    return (int) (shape >>> ALIGNMENT) & (Long.SIZE - 1);
  }

  static long withSite(long shape, int site) {
    return (shape & ~((SITES - 1L) << SITE)) | ((long) site << SITE);
  }

  /** Returns a hash whose lowest bits choose a place in a table. */
  @ForceInline
  static int hash(long shape) {
    return (int) ((shape * 0x9E3779B97F4A7C15L) >>> HASH_BITS);
  }

  /** Whether a total has a bucket to itself, so that the shape holds the exact total. */
  @ForceInline
  static boolean isExact(long total) {
    return total < FIRST_POWER;
  }

  @ForceInline
  static int bucket(long byteSize) {
    return byteSize < FIRST_POWER ? (int) byteSize : FIRST_POWER + log(byteSize) - FIRST_POWER_LOG;
  }

  /** Returns the least size in a bucket of totals or largest sizes. */
  static long lower(int bucket) {
    return bucket < FIRST_POWER ? bucket : 1L << (bucket - FIRST_POWER + FIRST_POWER_LOG);
  }

  /** Returns the bucket of a footprint, which is a multiple of 16. */
  @ForceInline
  static int footprintBucket(long footprint) {
    if (footprint <= MOST_EXACT) {
      return (int) footprint >> GRANULE_LOG;
    }
    return Math.max(BEYOND_EXACT, BEYOND_EXACT + 1 + log(footprint) - FOOTPRINT_POWER_LOG);
  }

  /** Returns the footprint of a bucket; beyond 1024 a lower bound. */
  static long footprintLower(int bucket) {
    if (bucket < BEYOND_EXACT) {
      return (long) bucket << GRANULE_LOG;
    }
    return bucket == BEYOND_EXACT
        ? MOST_EXACT + 1
        : 1L << (bucket - BEYOND_EXACT - 1 + FOOTPRINT_POWER_LOG);
  }

  @ForceInline
  private static int log(long positive) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(positive);
  }
}
