package dev.rockpool.cli.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Side;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadComparisonTest {
  private static final String HEADER =
      "workload,rows_in_all,nanos_per_row,fastest_nanos_per_row,garbage_bytes_per_row,result";

  /** 1,500 arenas in a second, of which each would save 20 ns. */
  private static final ReportedGain REPORTED =
      ReportedGain.parse(
          JsonParser.parseString(
                  """
                  {"recordedNanos": 1000000000, "toCome": {"arenas": 1500, "nanos": 30000.0}}
                  """)
              .getAsJsonObject());

  private static RowFigures figures(double nanos, double fastest, double garbage) {
    return RowFigures.parse(
        List.of(HEADER, "short,1000," + nanos + "," + fastest + "," + garbage + ",5"));
  }

  private static WorkloadComparison comparison() {
    return new WorkloadComparison(
        "short",
        List.of(figures(240, 200, 96), figures(900, 210, 96), figures(230, 220, 96)),
        List.of(figures(210, 180, 0), figures(205, 175, 0.25), figures(800, 190, 0)),
        1000,
        REPORTED);
  }

  @Test
  void comparesMediansAndFastest() {
    comparison().check();
    assertThat(comparison().nanos(Side.WITHOUT)).isEqualTo(240);
    assertThat(comparison().savedNanos()).isEqualTo(30);
    assertThat(comparison().fastestSavedNanos()).isEqualTo(25);
    assertThat(comparison().garbageBytes(Side.WITHOUT)).isEqualTo(96);
  }

  @Test
  void spreadsTheForecastOverTheRowsThatWereRecorded() {
    assertThat(comparison().forecastNanos()).isEqualTo(30);
    assertThat(comparison().arenasPerRow()).isEqualTo(1.5);
    assertThat(REPORTED.nanosPerArena()).isEqualTo(20);
    assertThat(REPORTED.shareOfTime()).isEqualTo(0.00003, within(1e-9));
  }

  @Test
  void refusesDifferentResults() {
    RowFigures wrong = new RowFigures(1, 1, 1, 0, "6");
    WorkloadComparison different =
        new WorkloadComparison("short", List.of(figures(1, 1, 0)), List.of(wrong), 1, REPORTED);
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(different::check)
        .withMessage("short must come to the same without and with the agent: it came to [5, 6]");
  }

  @Test
  void refusesOutputThatHasNoFigures() {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> RowFigures.parse(List.of("nonsense", "1,2,3")))
        .withMessage(
            "An example must print two lines, the first being '"
                + HEADER
                + "': it printed [nonsense, 1,2,3]");
  }

  @Test
  void tellsItInTables() {
    ExampleReport report = new ExampleReport("sqlite", List.of(comparison()), 2);
    assertThat(report.toText())
        .contains("240 (200)   210 (175)   30.0 (25.0)   12.5 % (12.5 %)          30.0     15.0 %")
        .containsPattern("\nshort +1,500 +1.50 +20.0 ns +0.0030 %\n")
        .contains("median of 3 JVMs");
    assertThat(report.toMarkdown())
        .startsWith("| workload | ns a row without |")
        .contains("\n|---|---|")
        .contains("\n| short | 240 (200) | 210 (175) | 30.0 (25.0) | 12.5 % (12.5 %) | 30.0 |");
  }

  @Test
  void tellsItAsJson() {
    JsonObject workload =
        new ExampleReport("sqlite", List.of(comparison()), 2)
            .toJson()
            .getAsJsonArray("workloads")
            .get(0)
            .getAsJsonObject();
    assertThat(workload.get("forecastNanosPerRow").getAsDouble()).isEqualTo(30);
    assertThat(workload.get("savedNanosPerRow").getAsDouble()).isEqualTo(30);
    assertThat(workload.getAsJsonObject("with").getAsJsonArray("nanosPerRowByRound")).hasSize(3);
  }
}
