package dev.rockpool.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The results of the tables, in sentences. */
final class Findings {
  private Findings() {}

  /** The sizes of a slab that serve nearly all. */
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
}
