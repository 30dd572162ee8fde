package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.recording.ArenaFigures;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HitRatesTest {
  private static ArenaFigures figures(List<Integer> footprints) {
    ArenaFigures figures = new ArenaFigures();
    for (int footprint : footprints) {
      int highest = Integer.highestOneBit(footprint);
      figures.footprints().add(footprint <= 1024 ? footprint : Math.max(1025, highest), 1);
    }
    return figures;
  }

  private static long[] allocating(List<Integer> footprints) {
    return footprints.stream().mapToLong(f -> f).filter(f -> f > 0).sorted().toArray();
  }

  @Property(tries = 300)
  void agreesWithLookingAtEachArena(@ForAll List<@IntRange(max = 200) Integer> units) {
    List<Integer> footprints = units.stream().map(unit -> unit * 16).toList();
    HitRates rates = new HitRates(figures(footprints));
    long[] allocating = allocating(footprints);

    assertThat(rates.allocating()).isEqualTo(allocating.length);
    for (HitRate rate : rates.all()) {
      long fit = Arrays.stream(allocating).filter(f -> f <= rate.slabByteSize()).count();
      assertThat(fit).isBetween(rate.surely(), rate.perhaps());
      if (rate.slabByteSize() <= 1024) {
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
    HitRates rates = new HitRates(figures(footprints));
    if (allocating.length == 0) {
      assertThat(rates.least(permille)).isEmpty();
    } else {
      assertThat(rates.least(permille)).hasValue(allocating[(int) needed - 1]);
    }
  }

  @Test
  void namesTheSettingThatServesAShare() {
    HitRates rates = new HitRates(figures(List.of(0, 0, 16, 16, 80, 3000)));
    assertThat(rates.leastSlab(500)).hasValue(64);
    assertThat(rates.leastSlab(750)).hasValue(128);
    assertThat(rates.least(990)).hasValue(4095);
    assertThat(rates.leastSlab(990)).hasValue(4096);
    assertThat(new HitRates(figures(List.of(1 << 20))).leastSlab(990)).isEmpty();
    assertThat(rates.all())
        .extracting(HitRate::slabByteSize)
        .contains(64L, 512L, 1048576L)
        .hasSize(15);
  }
}
