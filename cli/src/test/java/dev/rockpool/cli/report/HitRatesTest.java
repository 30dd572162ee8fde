package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

class HitRatesTest {
  static ArenaFigures figures(List<Integer> footprints) {
    ArenaFigures figures = new ArenaFigures();
    for (int footprint : footprints) {
      int highest = Integer.highestOneBit(footprint);
      figures.footprints().add(footprint <= 1024 ? footprint : Math.max(1025, highest), 1);
    }
    return figures;
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
