package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.HitRates.HitRate;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Hit rates against looking at the arenas one by one. */
class HitRatesProperties {
  private static long[] allocating(List<Integer> footprints) {
    return footprints.stream().mapToLong(f -> f).filter(f -> f > 0).sorted().toArray();
  }

  @Property(tries = 300)
  void agreesWithLookingAtEachArena(@ForAll List<@IntRange(max = 200) Integer> units) {
    List<Integer> footprints = units.stream().map(unit -> unit * 16).toList();
    HitRates rates = new HitRates(HitRatesTest.figures(footprints), HitRatesTest.DEFAULT);
    long[] allocating = allocating(footprints);

    for (HitRate rate : rates.all()) {
      assertThat(rate.allocating()).isEqualTo(allocating.length);
      long fit = Arrays.stream(allocating).filter(f -> f <= rate.blockByteSize()).count();
      assertThat(fit).isBetween(rate.surely(), rate.perhaps());
      if (rate.blockByteSize() <= 1024) {
        assertThat(rate.surely()).isEqualTo(fit);
      }
    }
  }

  @Property(tries = 300)
  void findsTheLeastSizeForAShare(
      @ForAll List<@IntRange(max = 64) Integer> units,
      @ForAll @IntRange(min = 1, max = 1000) int permille) {
    List<Integer> footprints = units.stream().map(unit -> unit * 16).toList();
    long[] allocating = allocating(footprints);

    long needed = (allocating.length * (long) permille + 999) / 1000;
    HitRates rates = new HitRates(HitRatesTest.figures(footprints), HitRatesTest.DEFAULT);
    if (allocating.length == 0) {
      assertThat(rates.least(permille)).isEmpty();
    } else {
      assertThat(rates.least(permille)).hasValue(allocating[(int) needed - 1]);
    }
  }
}
