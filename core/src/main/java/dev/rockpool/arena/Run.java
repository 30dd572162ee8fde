package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;

/**
 * Adjacent slabs of one {@link ThreadSlabs}: the index of the first slab and the number of slabs,
 * packed into one {@code int}. An escaping arena has no room for a larger field, see {@link
 * PooledArena}.
 */
final class Run {
  /** No slab. */
  static final int NONE = 0;

  private static final int FIRST_SHIFT = 8;
  private static final int COUNT_MASK = (1 << FIRST_SHIFT) - 1;

  private Run() {}

  @ForceInline
  static int of(int first, int count) {
    return first << FIRST_SHIFT | count;
  }

  @ForceInline
  static int first(int run) {
    return run >> FIRST_SHIFT;
  }

  @ForceInline
  static int count(int run) {
    return run & COUNT_MASK;
  }

  /** Whether {@code run} has slabs, and all have an index below {@code slabs}. */
  @ForceInline
  static boolean isWithin(int run, int slabs) {
    return run > 0 && (run >> FIRST_SHIFT) + (run & COUNT_MASK) <= slabs;
  }

  /** Returns a set of bits, bit i for slab i, for a run that is not empty. */
  @ForceInline
  static long bits(int run) {
    return (-1L >>> -count(run)) << first(run); // shifts count modulo 64
  }

  static String toString(int run) {
    return count(run) + " from " + first(run);
  }
}
