package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

class HitRatesTest {
  static final Setting DEFAULT = new Setting("", true, 512, 8, "ON", "", 1);

  private static HitRates rates(Integer... footprints) {
    return new HitRates(figures(List.of(footprints)), DEFAULT);
  }

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
    HitRates rates = rates(0, 0, 16, 16, 80, 3000);
    assertThat(rates.leastBlock(500)).hasValue(64);
    assertThat(rates.leastBlock(750)).hasValue(128);
    assertThat(rates.least(990)).hasValue(4095);
    assertThat(rates.leastBlock(990)).hasValue(4096);
    assertThat(rates(1 << 20).leastBlock(990)).isEmpty();
    assertThat(rates.all())
        .extracting(HitRate::blockByteSize)
        .contains(64L, 512L, 1048576L)
        .hasSize(15);
  }

  /** No other size is better where the pool serves most arenas from one block, and none is left. */
  @Test
  void namesABetterSizeOnlyForArenasThatThePoolDoesNotServeWell() {
    assertThat(rates(0, 16, 80, 3000).better()).isEmpty();
    assertThat(rates(0, 0, 80, 3000, 3000).better()).hasValue(4096);
    assertThat(rates(16, 16, 10_000).better()).hasValue(16_384);
    assertThat(rates(1 << 20).better()).isEmpty();
    assertThat(rates(0).better()).isEmpty();
  }
}
