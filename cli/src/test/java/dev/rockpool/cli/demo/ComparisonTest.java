package dev.rockpool.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.demo.Comparison.Run;
import dev.rockpool.cli.demo.Comparison.Unit;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Call;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final String HEADER =
      "workload,rows_in_all,nanos_per_row,fastest_nanos_per_row,garbage_bytes_per_row,result,"
          + "compiled";
  private static final String FOOTNOTE = "* Not compiled yet when measured";

  /** 1,500 arenas, of which each would save 10 to 30 ns. */
  private static final Example.Forecast FORECAST =
      Example.Forecast.of(
          1000,
          JsonParser.parseString(
                  """
                  {"all": {"arenas": 1500}, "forecast": {"nanos": {"low": 15000, "high": 45000}},
                   "verdict": {"worth": "Worth it."}}
                  """)
              .getAsJsonObject());

  private static final Example EXAMPLE = new Example("sqlite", Path.of("a.jar"), Path.of(""), 2);

  private static Run run(double time, double fastest, double garbage, String rest) {
    return Run.parse(
        List.of(HEADER, "short,1000," + time + "," + fastest + "," + garbage + "," + rest));
  }

  private static Run without(double time, double fastest) {
    return run(time, fastest, 96, "%5B5%5D,true,JdkArena");
  }

  private static Run with(double time, double fastest) {
    return run(time, fastest, 0.25, "%5B5%5D,true,OurArena");
  }

  private static Comparison comparison(Unit unit, Run... ofWith) {
    List<Run> without = List.of(without(240, 200), without(900, 210), without(230, 220));
    return new Comparison("short", unit, without, List.of(ofWith));
  }

  private static Comparison comparison(Unit unit) {
    return comparison(unit, with(120, 100), with(110, 90), with(800, 190));
  }

  private static Report calls(Comparison comparison, boolean quick) {
    return CallsDemo.report(List.of(Call.STRLEN), List.of(comparison), quick);
  }

  private static Report example(Comparison comparison) {
    return EXAMPLE.report(List.of(comparison), List.of(FORECAST));
  }

  /** One of four runs of somebody's command, two on each side. */
  private static Report command(String first, String second, String with) {
    Queue<Run> runs =
        new ArrayDeque<>(
            List.of(Run.of(1.5, first), Run.of(1, with), Run.of(2.5, second), Run.of(1.5, with)));
    AgentRoute route = new AgentRoute(List.of("java", "Main"), Path.of("a.jar"));
    return CommandDemo.report(
        route,
        new AgentRoute.Notes(true, 1, 3),
        Comparison.of("command", Unit.PROCESS, 2, side -> runs.remove()));
  }

  @Test
  void takesMediansAndTheFastest() {
    Comparison comparison = comparison(Unit.CALL).check();
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
            Unit.ROW,
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
        .isThrownBy(comparison(Unit.CALL, with(1, 1), without(2, 2))::check)
        .withMessageStartingWith(
            "The agent must change the class of confined arenas: for short it is JdkArena on both"
                + " sides");
  }

  @Test
  void refusesDifferentResults() {
    Run wrong = run(1, 1, 0, "6,true");
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(comparison(Unit.ROW, with(1, 1), wrong)::check)
        .withMessage(
            "short must come to the same without and with the agent: without=[[5]],"
                + " with=[6, [5]]");
  }

  @Test
  void refusesOutputThatHasNoFigures() {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> Run.parse(List.of("nonsense", "1,2,3")))
        .withMessageContaining(HEADER)
        .withMessageEndingWith("it printed [nonsense, 1,2,3]");
  }

  @Test
  void isARowOfTheCalls() {
    assertThat(calls(comparison(Unit.CALL), true).toText().lines())
        .startsWith(
            "call                    ns without   ns with   ratio   garbage without   garbage with",
            "-------------------------------------------------------------------------------------",
            "strlen of short words          240       120   2.00x              96 B            0 B")
        .contains("Quick run: the figures mean little.");
    assertThat(calls(comparison(Unit.CALL), false).toText()).doesNotContain("Quick run");
    JsonObject call =
        calls(comparison(Unit.CALL), false).json().getAsJsonArray("calls").get(0).getAsJsonObject();
    assertThat(call.get("call").getAsString()).isEqualTo("strlen");
    assertThat(call.get("ratio").getAsDouble()).isEqualTo(2);
    assertThat(call.get("result").getAsString()).isEqualTo("[5]");
    assertThat(call.getAsJsonObject("with"))
        .hasToString(
            "{\"nanosPerCall\":120.0,\"fastestNanosPerCall\":90.0,\"garbageBytesPerCall\":0.25,"
                + "\"arenaClass\":\"OurArena\",\"nanosPerCallByRound\":[120.0,110.0,800.0]}");
  }

  @Test
  void isARowOfTheWorkloads() {
    Report report = example(comparison(Unit.ROW));
    assertThat(report.toText())
        .contains("240 (200)   120 (90.0)   120 (110)   50.0 % (55.0 %)")
        .containsPattern("55.0 %\\) +15.0 to 45.0 +0.25 +96 B")
        .contains("\nshort, 1.50 arenas a row. Worth it.\n")
        .contains("median of 3 JVMs");
    assertThat(report.toMarkdown())
        .startsWith("| workload | ns a row without |")
        .contains("\n|---|---|")
        .contains(
            "\n| short | 240 (200) | 120 (90.0) | 120 (110) | 50.0 % (55.0 %) | 15.0 to 45.0 |");
    JsonObject workload = report.json().getAsJsonArray("workloads").get(0).getAsJsonObject();
    assertThat(workload.get("forecastNanosPerRow").getAsDouble()).isEqualTo(30);
    assertThat(workload.get("savedNanosPerRow").getAsDouble()).isEqualTo(120);
    assertThat(workload.getAsJsonObject("with").getAsJsonArray("nanosPerRowByRound")).hasSize(3);
  }

  @Test
  void spreadsTheForecastOverTheRowsThatWereRecorded() {
    assertThat(FORECAST.nanosPerRow()).isEqualTo(30);
    assertThat(FORECAST.arenasPerRow()).isEqualTo(1.5);
    assertThat(FORECAST.ratio(-20)).isEqualTo("-1.50");
  }

  @Test
  void marksWhatWasNotCompiled() {
    Run early = run(300, 300, 0, "%5B5%5D,false,OurArena");
    Comparison comparison = comparison(Unit.ROW, with(120, 100), early);
    assertThat(calls(comparison, true).toText()).contains("\nstrlen of short words * ", FOOTNOTE);
    assertThat(example(comparison).toMarkdown()).contains("\n| short * |", FOOTNOTE);
    assertThat(comparison.toJson().get("compiled").getAsBoolean()).isFalse();

    assertThat(calls(comparison(Unit.CALL), true).toText()).doesNotContain("*");
    assertThat(comparison(Unit.CALL).toJson().get("compiled").getAsBoolean()).isTrue();
  }

  @Test
  void showsTimesOfACommandAndThatItsOutputIsIdentical() {
    Report report = command("out", "out", "out");
    assertThat(report.toText().lines())
        .startsWith(
            "whole process   without      with   ratio",
            "-----------------------------------------",
            "median of 2     2.000 s   1.250 s   1.60x",
            "fastest         1.500 s   1.000 s   1.50x",
            "exit code             0         0",
            "Standard output was identical in all runs.",
            "Calls of Arena.ofConfined() that the agent rewrote: 3, in 1 class.");
    assertThat(report.json().get("command")).hasToString("[\"java\",\"Main\"]");
    assertThat(report.json().get("agentThrough").getAsString()).isEqualTo("argument");
    assertThat(report.json().get("identical").getAsBoolean()).isTrue();
    assertThat(report.json().get("ratio").getAsDouble()).isEqualTo(1.6);
    assertThat(report.json().get("without"))
        .hasToString(
            "{\"medianSeconds\":2.0,\"fastestSeconds\":1.5,\"exitCode\":0,\"seconds\":[1.5,2.5]}");
  }

  @Test
  void blamesTheAgentForOutputThatDiffersWithItAlone() {
    assertThat(command("out", "out", "other").toText())
        .contains("Standard output DIFFERED with the agent.");
    assertThat(command("out", "another", "other").toText())
        .contains("differs from run to run, without the agent too");
  }
}
