package dev.rockpool.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The results of the tables, in sentences. */
final class Findings {
  private Findings() {}

  /** Which sizes of a slab serve nearly all. */
  static List<String> sizes(Report report) {
    HitRates rates = report.hitRates();
    List<String> sentences = new ArrayList<>();
    if (rates.allocating() == 0) {
      sentences.add("No arena allocated.");
      return sentences;
    }
    for (int permille : new int[] {990, 999}) {
      sentences.add(size(rates, permille));
    }
    return sentences;
  }

  private static String size(HitRates rates, int permille) {
    long bytes = rates.least(permille).orElseThrow();
    OptionalLong slab = rates.leastSlab(permille);
    return percent(permille)
        + " of the arenas that allocate fit in "
        + Numbers.count(bytes)
        + " bytes"
        + (slab.isPresent()
            ? ": rockpool.slab.size=" + slab.getAsLong() + " serves them."
            : ", which is more than a slab may have.");
  }

  private static String percent(int permille) {
    return permille % 10 == 0 ? permille / 10 + " %" : permille / 10 + "." + permille % 10 + " %";
  }

  /** The savings of the pool, possible and real. */
  static List<String> gain(Report report) {
    List<String> sentences = new ArrayList<>();
    Forecast toCome = report.toCome();
    if (toCome.arenas() > 0) {
      sentences.add(
          Report.counted(toCome.arenas(), "arena")
              + " did without the pool. It would save "
              + saved(report, toCome));
    }
    Forecast gained = report.gained();
    if (gained.arenas() > 0) {
      sentences.add(
          Report.counted(gained.arenas(), "arena")
              + " came from the pool. It saved, by the same figures, "
              + saved(report, gained));
    }
    return sentences;
  }

  private static String saved(Report report, Forecast forecast) {
    return Numbers.time(forecast.nanosPerArena())
        + " for each, "
        + Numbers.time(forecast.nanos())
        + " in all: "
        + Numbers.share(forecast.nanos(), (double) report.figures().recordedNanos())
        + " of the time recorded, were it all on one processor.";
  }
}
