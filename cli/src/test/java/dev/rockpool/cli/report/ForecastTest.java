package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rockpool.cli.report.Costs.Cost;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.Arena;
import dev.rockpool.cli.report.recording.ThreadKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastTest {
  @TempDir private Path folder;

  private Figures figures(String threadKind, String served, Arena... arenas) throws IOException {
    Merge merge = new Merge();
    merge.add(
        Recorded.record(
            folder.resolve("a.jfr"), Recorded.histogram(threadKind, served, List.of(arenas))));
    return merge.figures();
  }

  /** What is in the code is in the page that it names, cell by cell. */
  @Test
  void costsAreThoseOfThePage() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "performance-notes.md"));
    for (Cost cost : Costs.PLATFORM) {
      assertThat(page)
          .containsPattern(
              "\n\\| %d \\| %s ± [^|]+\\|[^|]+\\|[^|]+\\| %s ±"
                  .formatted(cost.bytes(), digits(cost.jdk()), digits(cost.pool())));
    }
    for (Cost cost : Costs.VIRTUAL) {
      assertThat(page)
          .containsPattern(
              "\n\\| %d \\| %s ± [^|]+\\|[^|]+\\|[^|]+\\|[^|]+\\|[^|]+\\| %s ±"
                  .formatted(cost.bytes(), digits(cost.jdk()), digits(cost.pool())));
    }
    assertThat(page)
        .containsPattern("\n\\| \\| 20 \\| 99.1 ± [^|]+\\|[^|]+\\|[^|]+\\| 8.27 ±")
        .contains("2026-11-21");
  }

  private static String digits(double value) {
    return String.format(Locale.ROOT, "%s", value).replace(".", "\\.");
  }

  @Test
  void interpolatesBetweenMeasuredSizes() {
    assertThat(Costs.gain(ThreadKind.PLATFORM, 0)).isZero();
    assertThat(Costs.gain(ThreadKind.PLATFORM, 1)).isEqualTo(29.9 - 2.36);
    assertThat(Costs.gain(ThreadKind.PLATFORM, 20)).isEqualTo(30.2 - 2.27, within(1e-9));
    assertThat(Costs.gain(ThreadKind.PLATFORM, 42))
        .isEqualTo((30.2 - 2.27 + 33.6 - 2.68) / 2, within(1e-9));
    assertThat(Costs.gain(ThreadKind.PLATFORM, 4096)).isEqualTo(92.5 - 33.1, within(1e-9));
    assertThat(Costs.gain(ThreadKind.PLATFORM, 4097)).isZero();
    assertThat(Costs.gain(ThreadKind.VIRTUAL, 64)).isEqualTo(30.1 - 4.15, within(1e-9));
    assertThat(Costs.gain(ThreadKind.VIRTUAL, 100)).isEqualTo(Costs.gain(ThreadKind.PLATFORM, 100));
  }

  @Test
  void sumsTheGainOfEachArena() throws IOException {
    Figures figures =
        figures("platform", "jdk", Arena.of(), Arena.of(64), Arena.of(20, 20), Arena.of(100_000));

    Forecast forecast = Forecast.toCome(figures, ThreadKind.PLATFORM, 7);

    assertThat(forecast.arenas()).isEqualTo(4);
    assertThat(forecast.fitting()).isEqualTo(2);
    double further = (99.1 - 30.2) / 2 - (8.27 - 2.27) / 2;
    assertThat(forecast.nanos()).isEqualTo(2 * (33.6 - 2.68) + 2 / 3.0 * further, within(1e-6));
    assertThat(forecast.nanosPerArena()).isEqualTo(forecast.nanos() / 4);
  }

  @Test
  void leavesOutArenasForWhichAThreadHasNoSlab() throws IOException {
    Figures figures = figures("platform", "jdk", Arena.of(64), new Arena(7, 64));
    assertThat(Forecast.toCome(figures, ThreadKind.PLATFORM, 8).fitting()).isEqualTo(2);
    assertThat(Forecast.toCome(figures, ThreadKind.PLATFORM, 7).fitting()).isEqualTo(1);
  }

  @Test
  void tellsWhatIsToComeFromWhatWasGained() throws IOException {
    Figures figures = figures("virtual", "slab", Arena.of(64));
    assertThat(Forecast.toCome(figures, ThreadKind.VIRTUAL, 7).arenas()).isZero();
    assertThat(Forecast.gained(figures, ThreadKind.VIRTUAL).nanos())
        .isEqualTo(30.1 - 4.15, within(1e-9));
    assertThat(Forecast.gained(figures, ThreadKind.PLATFORM).nanosPerArena()).isZero();
  }
}
