package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;

/**
 * Adjacent slabs of one {@link ThreadSlabs}, as one {@code int}: the index of the first, and how
 * many. An arena that escapes has room for an {@code int} before it makes more garbage than the
 * JDK's.
 */
final class Run {
  /** No slab at all. */
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

  /** Whether {@code run} has slabs, the last of which is one of {@code slabs}. */
  @ForceInline
  static boolean isWithin(int run, int slabs) {
    return run > 0 && (run >> FIRST_SHIFT) + (run & COUNT_MASK) <= slabs;
  }

  /** A bit for each slab of a run that has at least one: bit i for slab i. */
  @ForceInline
  static long bits(int run) {
    return (-1L >>> -count(run)) << first(run); // shifts count modulo 64
  }

  static String toString(int run) {
    return count(run) + " from " + first(run);
  }
}
