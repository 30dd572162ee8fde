package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.SiteFigures;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Call sites by how often the pool did not serve arenas that they allocated from. */
final class Misses {
  private static final Comparator<Map.Entry<String, SiteFigures>> MOST_FIRST =
      Comparator.<Map.Entry<String, SiteFigures>>comparingLong(site -> -site.getValue().missed())
          .thenComparingLong(site -> -site.getValue().arenas())
          .thenComparing(Map.Entry::getKey);

  private Misses() {}

  /** All sites. */
  static List<Map.Entry<String, SiteFigures>> sites(Figures figures) {
    return figures.sites().entrySet().stream().sorted(MOST_FIRST).toList();
  }

  /** Arenas of {@code site} that need not fit in a slab of {@code slabByteSize}. */
  static long tooLarge(SiteFigures site, long slabByteSize) {
    return site.footprints().total() - site.footprints().upTo(slabByteSize);
  }
}
