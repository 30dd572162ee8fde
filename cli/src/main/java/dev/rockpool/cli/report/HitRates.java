package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.Setting;
import dev.rockpool.cli.report.recording.Histogram;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The number of arenas that would fit in one block, for each size of a block. An arena that never
 * allocates takes no block, so it is not among them.
 */
final class HitRates {
  /** The sizes that {@code rockpool.block.size} accepts. */
  private static final long LEAST_BLOCK = 64;

  static final long LARGEST_BLOCK = 1 << 20;

  private final Histogram footprints;
  private final long allocating;

  private final Setting setting;

  HitRates(ArenaFigures figures, Setting setting) {
    this.setting = setting;
    footprints = figures.footprints();
    allocating = footprints.total() - figures.empty();
  }

  /**
   * The number of arenas that fit in a block.
   *
   * @param surely arenas that fit
   * @param perhaps the same, and arenas in a bucket of which only a part fits
   * @param allocating all arenas that allocate
   */
  record HitRate(long blockByteSize, long surely, long perhaps, long allocating) {}

  /** One for each size that a block may have. */
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
    return LongStream.iterate(LEAST_BLOCK, size -> size <= LARGEST_BLOCK, size -> 2 * size);
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

  /** The value of {@code rockpool.block.size} for {@link #least}; empty if there is none. */
  OptionalLong leastBlock(int permille) {
    OptionalLong least = least(permille);
    return least.isEmpty() ? least : sizes().filter(size -> size >= least.getAsLong()).findFirst();
  }

  /**
   * The value of {@code rockpool.block.size} that has one block serve 99 % of the arenas, where the
   * recorded one leaves some of these to the JDK, or most to a second block.
   */
  OptionalLong better() {
    OptionalLong block = leastBlock(990);
    boolean isBetter =
        block.orElse(0) > setting.mostByteSize()
            || leastBlock(500).orElse(0) > setting.blockByteSize();
    return isBetter ? block : OptionalLong.empty();
  }

  /** The sizes that serve nearly all, in sentences. */
  List<String> sentences() {
    return allocating == 0
        ? List.of("No arena allocated.")
        : IntStream.of(990, 999).mapToObj(this::sentence).toList();
  }

  private String sentence(int permille) {
    OptionalLong block = leastBlock(permille);
    return (permille == 990 ? "99" : "99.9")
        + " % of the arenas that allocate fit in "
        + Numbers.count(least(permille).orElseThrow())
        + " bytes"
        + (block.isEmpty()
            ? ", which is more than a block may have."
            : block.getAsLong() <= setting.mostByteSize()
                ? ": the pool serves them."
                : ": rockpool.block.size=" + block.getAsLong() + " serves them.");
  }
}
