package dev.rockpool.cli.report.recording;

/**
 * The buckets of a histogram. A bucket is named by the least value in it; what is not the name of a
 * bucket is refused, so a histogram can't grow beyond its scale.
 */
public enum Scale {
  /** Bytes: 0 to 63 each on its own, then powers of two. */
  BYTES {
    @Override
    boolean isBucket(long key) {
      return (key >= 0 && key < 64) || isPowerOfTwo(key);
    }

    @Override
    public long last(long key) {
      return key < 64 ? key : lastOfPower(key);
    }
  },
  /**
   * Bytes of a slab: multiples of 16 to 1024, each on its own; then those up to 2047, then powers
   * of two.
   */
  FOOTPRINTS {
    private static final long BEHIND_EXACT = 1025;

    @Override
    boolean isBucket(long key) {
      return key <= 1024
          ? key >= 0 && key % 16 == 0
          : key == BEHIND_EXACT || (key >= 2048 && isPowerOfTwo(key));
    }

    @Override
    public long last(long key) {
      return key <= 1024 ? key : key == BEHIND_EXACT ? 2047 : lastOfPower(key);
    }
  },
  /** Other arenas that were open: 0 to 14 each on its own, then all that is more. */
  DEPTHS {
    @Override
    boolean isBucket(long key) {
      return key >= 0 && key <= DEEPEST;
    }

    @Override
    public long last(long key) {
      return key < DEEPEST ? key : Long.MAX_VALUE;
    }
  },
  /** Alignments, which are powers of two. */
  ALIGNMENTS {
    @Override
    boolean isBucket(long key) {
      return isPowerOfTwo(key);
    }

    @Override
    public long last(long key) {
      return key;
    }
  };

  /** The bucket for this many arenas and more. */
  public static final long DEEPEST = 15;

  abstract boolean isBucket(long key);

  /** The greatest value in the bucket {@code key}. */
  public abstract long last(long key);

  private static boolean isPowerOfTwo(long key) {
    return key > 0 && (key & (key - 1)) == 0;
  }

  private static long lastOfPower(long key) {
    return key + (key - 1);
  }
}
