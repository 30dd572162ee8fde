package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Histogram;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The number of arenas that would fit in one slab, for each size of a slab. An arena that never
 * allocates takes no slab, so it is not among them. Arenas that only a run of slabs or a larger
 * slab serves are left out.
 */
final class HitRates {
  /** The sizes that {@code rockpool.slab.size} accepts. */
  private static final long LEAST_SLAB = 64;

  static final long LARGEST_SLAB = 1 << 20;

  private final Histogram footprints;
  private final long allocating;

  HitRates(ArenaFigures figures) {
    footprints = figures.footprints();
    allocating = footprints.total() - figures.empty();
  }

  /**
   * The number of arenas that fit in a slab.
   *
   * @param surely arenas that fit
   * @param perhaps the same, and arenas in a bucket of which only a part fits
   * @param allocating all arenas that allocate
   */
  record HitRate(long slabByteSize, long surely, long perhaps, long allocating) {}

  /** Arenas that allocate. */
  long allocating() {
    return allocating;
  }

  /** One for each size that a slab may have. */
  List<HitRate> all() {
    return sizes()
        .mapToObj(
            size ->
                new HitRate(
                    size,
                    footprints.upTo(size) - footprints.in(0),
                    footprints.within(1, size),
                    allocating))
        .toList();
  }

  private static LongStream sizes() {
    return LongStream.iterate(LEAST_SLAB, size -> size <= LARGEST_SLAB, size -> 2 * size);
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
    return least.isEmpty() ? least : sizes().filter(size -> size >= least.getAsLong()).findFirst();
  }

  /** The sizes of a slab that serve nearly all, in sentences. */
  List<String> sentences() {
    return allocating == 0
        ? List.of("No arena allocated.")
        : IntStream.of(990, 999).mapToObj(this::sentence).toList();
  }

  private String sentence(int permille) {
    OptionalLong slab = leastSlab(permille);
    return (permille == 990 ? "99" : "99.9")
        + " % of the arenas that allocate fit in "
        + Numbers.count(least(permille).orElseThrow())
        + " bytes"
        + (slab.isPresent()
            ? ": rockpool.slab.size=" + slab.getAsLong() + " serves them."
            : ", which is more than a slab may have.");
  }
}
