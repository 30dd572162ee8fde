package dev.rockpool.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonParser;
import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Timer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final String FOOTNOTE = "* Not compiled yet when measured";

  /** 1,500 arenas, of which each would save 10 to 30 ns. */
  private static final Forecast FORECAST =
      Forecast.of(
          1000,
          JsonParser.parseString(
                  """
                  {"all": {"arenas": 1500}, "forecast": {"nanos": {"low": 15000, "high": 45000}},
                   "verdict": {"worth": "Worth it."}}
                  """)
              .getAsJsonObject(),
          "nanos",
          1);

  private static Run run(double time, double fastest, double garbage, String rest) {
    return Run.parse(
        List.of(Timer.HEADER, "short,1000," + time + "," + fastest + "," + garbage + "," + rest));
  }

  private static Run without(double time, double fastest) {
    return run(time, fastest, 96, "%5B5%5D,true,JdkArena");
  }

  private static Run with(double time, double fastest) {
    return run(time, fastest, 0.25, "%5B5%5D,true,OurArena");
  }

  private static Comparison comparison(Run... ofWith) {
    List<Run> without = List.of(without(240, 200), without(900, 210), without(230, 220));
    return new Comparison("short", without, List.of(ofWith));
  }

  private static Comparison comparison() {
    return comparison(with(120, 100), with(110, 90), with(800, 190));
  }

  private static ComparisonTable table(Comparison comparison, Forecast... forecasts) {
    return new ComparisonTable(
        "call", "ns", List.of(comparison), List.of(forecasts), "Remark.\n", Map.of("quick", true));
  }

  /** One of four runs of somebody's command, two on each side. */
  private static ComparisonTable command(String first, String second, String with) {
    Queue<Run> runs =
        new ArrayDeque<>(
            List.of(Run.of(1.5, first), Run.of(1, with), Run.of(2.5, second), Run.of(1.5, with)));
    AgentRoute route = new AgentRoute(List.of("java", "Main"), Path.of("a.jar"));
    return DemoCommand.table(
        route,
        new AgentRoute.Notes(true, 1, 3),
        Comparison.of("whole process", 2, side -> runs.remove()));
  }

  @Test
  void takesMediansAndTheFastest() {
    Comparison comparison = comparison().check();
    assertThat(comparison.time(Side.WITHOUT)).isEqualTo(240);
    assertThat(comparison.fastest(Side.WITHOUT)).isEqualTo(200);
    assertThat(comparison.ratio()).isEqualTo(2);
    assertThat(comparison.saved()).isEqualTo(120);
    assertThat(comparison.fastestSaved()).isEqualTo(110);
    assertThat(comparison.garbageBytes(Side.WITHOUT)).isEqualTo(96);
  }

  @Test
  void takesTurns() {
    Queue<Side> sides = new ArrayDeque<>();
    Comparison comparison =
        Comparison.of(
            "x",
            2,
            side -> {
              sides.add(side);
              return with(sides.size(), 1);
            });
    assertThat(sides).containsExactly(Side.WITHOUT, Side.WITH, Side.WITHOUT, Side.WITH);
    assertThat(comparison.with()).extracting(Run::time).containsExactly(2.0, 4.0);
  }

  @Test
  void refusesAnAgentThatWasNotAtWork() {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(comparison(with(1, 1), without(2, 2))::check)
        .withMessageStartingWith(
            "The agent must change the class of confined arenas: for short it is JdkArena on both"
                + " sides");
  }

  @Test
  void refusesDifferentResults() {
    Run wrong = run(1, 1, 0, "6,true,OurArena");
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(comparison(with(1, 1), wrong)::check)
        .withMessage(
            "short must come to the same without and with the agent: without=[[5]],"
                + " with=[6, [5]]");
  }

  @Test
  void refusesOutputThatHasNoFigures() {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> Run.parse(List.of("nonsense", "1,2,3")))
        .withMessageContaining(Timer.HEADER)
        .withMessageEndingWith("it printed [nonsense, 1,2,3]");
  }

  @Test
  void isARowOfATable() {
    assertThat(table(comparison()).text().lines())
        .startsWith(
            "call    ns without         with   ratio   garbage without   with",
            "----------------------------------------------------------------",
            "short    240 (200)   120 (90.0)   2.00x              96 B    0 B")
        .contains(
            "Remark.", "Times: median of 3 JVMs a side, in brackets the fastest batch of any JVM.");
  }

  @Test
  void jsonHasTheFiguresOfEachSide() {
    assertThat(OutputFile.json(table(comparison(), FORECAST).json()).replaceAll("\\s", ""))
        .contains("\"quick\":true,\"unit\":\"ns\"")
        .contains("\"name\":\"short\",\"identical\":true,\"ratio\":2.0,\"compiled\":true")
        .contains(
            "\"with\":{\"median\":120.0,\"fastest\":90.0,\"garbageBytes\":0.25,"
                + "\"result\":\"[5]\",\"arenaClass\":\"OurArena\","
                + "\"byRound\":[120.0,110.0,800.0]}")
        .contains("\"saved\":120.0,\"fastestSaved\":110.0")
        .contains("\"forecast\":30.0,\"arenasPerRow\":1.5");
  }

  @Test
  void standsBesideItsForecast() {
    ComparisonTable table = table(comparison(), FORECAST);
    assertThat(table.text())
        .containsPattern("120 \\(110\\), 50.0 % +15.0 to 45.0 +0.25\n")
        .contains("\nshort, 1.50 arenas a row. Worth it.\n");
    assertThat(table.markdown())
        .startsWith("| call | ns without |")
        .contains("\n|---|---:|")
        .contains("\n| short | 240 (200) | 120 (90.0) | 2.00x | 96 B | 0 B | 120 (110), 50.0 % |");
  }

  /** A middle near zero would be any number of times too small. */
  @Test
  void aForecastWithoutASignHasNoRatio() {
    Forecast unsure = new Forecast(1000, 1500, -1000, 1200, "About break-even.");
    assertThat(table(comparison(), unsure).text()).containsPattern(" -1.00 to 1.20 +unsure\n");
    Forecast loss = new Forecast(1000, 1500, -90_000, -30_000, "Not worth it.");
    assertThat(table(comparison(), loss).text()).containsPattern(" -90.0 to -30.0 +-0.50\n");
  }

  @Test
  void marksWhatWasNotCompiled() {
    Run early = run(300, 300, 0, "%5B5%5D,false,OurArena");
    Comparison comparison = comparison(with(120, 100), early);
    assertThat(table(comparison).text()).contains("\nshort * ", FOOTNOTE);
    assertThat(table(comparison).markdown()).contains("\n| short * |", FOOTNOTE);
    assertThat(comparison.json()).containsEntry("compiled", false);
    assertThat(table(comparison()).text()).doesNotContain("*");
  }

  @Test
  void showsTimesOfACommandAndThatItsOutputIsIdentical() {
    ComparisonTable table = command("out", "out", "out");
    assertThat(table.text().lines())
        .startsWith(
            "command             s without            with   ratio",
            "-----------------------------------------------------",
            "whole process   2.000 (1.500)   1.250 (1.000)   1.60x")
        .contains(
            "Standard output was identical in all runs, and each exit code 0.",
            "Calls of Arena.ofConfined() that the agent rewrote: 3, in 1 class.")
        .anyMatch(line -> line.contains("most of which C2 has not compiled yet"));
    assertThat(OutputFile.json(table.json()).replaceAll("\\s", ""))
        .contains("\"command\":[\"java\",\"Main\"],\"agentThrough\":\"argument\"")
        .contains("\"without\":{\"median\":2.0,\"fastest\":1.5,\"byRound\":[1.5,2.5]}");
  }

  @Test
  void blamesTheAgentForOutputThatDiffersWithItAlone() {
    assertThat(command("out", "out", "other").text())
        .contains("Standard output DIFFERED with the agent.");
    assertThat(command("out", "another", "other").text())
        .contains("differs from run to run, without the agent too");
  }
}
