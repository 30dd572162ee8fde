package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ArenaFigures;
import dev.rockpool.cli.report.recording.Histogram;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The number of arenas that would fit in one slab, for each size of a slab. An arena that never
 * allocates takes no slab, so it is not among them. What a run of slabs or a larger slab serves is
 * left out: it comes on top.
 */
final class HitRates {
  /** The sizes that {@code rockpool.slab.size} accepts. */
  static final long LEAST_SLAB = 64;

  static final long LARGEST_SLAB = 1 << 20;

  private final Histogram footprints;
  private final long allocating;

  HitRates(ArenaFigures figures) {
    footprints = figures.footprints();
    allocating = footprints.total() - figures.empty();
  }

  /**
   * Returns the number of arenas that fit in a slab.
   *
   * @param surely those that do
   * @param perhaps those, and the ones in a bucket of which only a part does
   */
  record HitRate(long slabByteSize, long surely, long perhaps) {}

  /** Arenas that allocate. */
  long allocating() {
    return allocating;
  }

  /** One for each size that a slab may have. */
  List<HitRate> all() {
    List<HitRate> rates = new ArrayList<>();
    for (long size = LEAST_SLAB; size <= LARGEST_SLAB; size *= 2) {
      rates.add(at(size));
    }
    return rates;
  }

  /** For slabs of {@code slabByteSize} bytes. */
  HitRate at(long slabByteSize) {
    long empty = footprints.in(0);
    return new HitRate(
        slabByteSize,
        footprints.upTo(slabByteSize) - empty,
        footprints.perhapsUpTo(slabByteSize) - empty);
  }

  /**
   * The least size, in bytes, in which at least {@code permille} of 1000 arenas that allocate fit;
   * in steps of the buckets, so exact to 1024 bytes. Empty if none allocates.
   */
  OptionalLong least(int permille) {
    long behind = allocating;
    for (var bucket : footprints.buckets().tailMap(1L).entrySet()) {
      behind -= bucket.getValue();
      if (behind * 1000 <= allocating * (1000 - permille)) { // both below 2^63, see Histogram
        return OptionalLong.of(footprints.scale().last(bucket.getKey()));
      }
    }
    return OptionalLong.empty();
  }

  /** The value of {@code rockpool.slab.size} for {@link #least}; empty if there is none. */
  OptionalLong leastSlab(int permille) {
    OptionalLong least = least(permille);
    if (least.isEmpty() || least.getAsLong() > LARGEST_SLAB) {
      return OptionalLong.empty();
    }
    long slab = LEAST_SLAB;
    while (slab < least.getAsLong()) {
      slab *= 2;
    }
    return OptionalLong.of(slab);
  }
}
