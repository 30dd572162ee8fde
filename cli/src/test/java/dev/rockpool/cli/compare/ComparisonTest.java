package dev.rockpool.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.compare.DemoCommand.Arenas;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.CallTimer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Run run(double time, double fastest, double garbage, String rest) {
    return Run.parse(
        List.of(
            CallTimer.HEADER,
            "short,1000," + time + "," + fastest + "," + garbage + "," + rest + ",true"));
  }

  private static Run without(double time, double fastest) {
    return run(time, fastest, 96, "%5B5%5D,true");
  }

  private static Run with(double time, double fastest) {
    return run(time, fastest, 0.25, "%5B5%5D,true");
  }

  private static Comparison comparison(Run... ofWith) {
    List<Run> without = List.of(without(240, 200), without(900, 210), without(230, 220));
    return new Comparison("short", Map.of(Side.WITHOUT, without, Side.WITH, List.of(ofWith)));
  }

  private static Comparison comparison() {
    return comparison(with(120, 100), with(110, 90), with(800, 190));
  }

  private static ComparisonTable table(Comparison comparison) {
    return new ComparisonTable(
        null, "call", "ns", List.of(comparison), "Remark.\n", Map.of("quick", true));
  }

  /** Runs of somebody's command, as many on each side, with the same output. */
  private static ComparisonTable command(double[] without, double[] with, long arenas) {
    return command(runs(without), runs(with), arenas);
  }

  private static List<Run> runs(double... seconds) {
    return Arrays.stream(seconds).mapToObj(each -> Run.of(each, "out")).toList();
  }

  private static ComparisonTable command(List<Run> without, List<Run> with, long arenas) {
    return DemoCommand.table(
        new AgentRoute(List.of("java", "Main"), Path.of("a.jar")),
        new Arenas(arenas, arenas - 4),
        new Comparison("whole process", Map.of(Side.WITHOUT, without, Side.WITH, with)));
  }

  /** A command with two runs a side. */
  private static ComparisonTable command(String first, String second, String with) {
    return command(
        List.of(Run.of(1.5, first), Run.of(2.5, second)),
        List.of(Run.of(1, with), Run.of(1.5, with)),
        -1);
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
    assertThat(comparison.runs(Side.WITH)).extracting(Run::time).containsExactly(2.0, 4.0);
  }

  @Test
  void refusesDifferentResults() {
    Run wrong = run(1, 1, 0, "6,true");
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(comparison(with(1, 1), wrong)::check)
        .withMessage(
            "short must come to the same without and with the agent: without=[[5]],"
                + " with=[6, [5]]");
  }

  @Test
  void isARowOfATable() {
    assertThat(table(comparison()).text().lines())
        .startsWith(
            "call    ns without         with   with the agent   garbage without   with",
            "-------------------------------------------------------------------------",
            "short    240 (200)   120 (90.0)    2.00x as fast              96 B    0 B")
        .contains(
            "Remark.", "Times: median of 3 JVMs a side, in brackets the fastest batch of any JVM.");
  }

  @Test
  void jsonHasTheFiguresOfEachSide() {
    assertThat(OutputFile.json(table(comparison()).json()).replaceAll("\\s", ""))
        .contains("\"quick\":true,\"unit\":\"ns\"")
        .contains("\"name\":\"short\",\"identical\":true,\"ratio\":2.0,\"compiled\":true")
        .contains(
            "\"with\":{\"median\":120.0,\"fastest\":90.0,\"garbageBytes\":0.25,"
                + "\"result\":\"[5]\","
                + "\"byRound\":[120.0,110.0,800.0]}");
  }

  @Test
  void showsTimesOfACommandAndThatItsOutputIsIdentical() {
    ComparisonTable table = command("out", "out", "out");
    assertThat(table.text().lines())
        .startsWith(
            "No clear difference: 37.5 % faster with the agent in the median, but the times"
                + " overlap.",
            "",
            "command             s without            with   with the agent",
            "--------------------------------------------------------------",
            "whole process   2.000 (1.500)   1.250 (1.000)    37.5 % faster")
        .contains(
            "Standard output was identical in all runs, and each exit code 0.",
            "The agent wrote no recording: perhaps it was not there at all.");
    assertThat(OutputFile.json(table.json()).replaceAll("\\s", ""))
        .contains("\"command\":[\"java\",\"Main\"],\"agentThrough\":\"argument\"")
        .contains("\"without\":{\"median\":2.0,\"fastest\":1.5,\"byRound\":[1.5,2.5]}");
  }

  /** A difference has a direction, and is clear if no run of one side is among the other's. */
  @Test
  void saysWhatTheAgentDidToACommand() {
    double[] without = {1, 1.1, 1.05};
    double[] slower = {1.5, 1.53, 1.6};
    assertThat(command(without, new double[] {0.85, 0.9, 0.89}, 5_000_000).text())
        .startsWith(
            "Clearly 15.2 % faster with the agent (5,000,000 confined arenas closed, 4,999,996"
                + " of them small enough for the pool).\n\n");
    assertThat(command(without, new double[] {0.85, 0.9, 0.89}, 1234).text())
        .as("as few arenas may make it faster, which is no reason to excuse it")
        .startsWith("Clearly 15.2 % faster with the agent (1,234 confined arenas closed, 1,230 of");
    assertThat(command(without, slower, 1234).text())
        .startsWith(
            "Clearly 45.7 % slower with the agent: too few confined arenas to pay back the agent's"
                + " start (1,234 confined arenas closed, 1,230 of them small enough for the"
                + " pool).\n\n");
    assertThat(command(without, slower, 3_000_000).text()).doesNotContain("too few");
    assertThat(command(without, slower, -1).text())
        .startsWith("Clearly 45.7 % slower with the agent.\n");
    assertThat(command(new double[] {1}, new double[] {0.5}, 7).text())
        .startsWith("One run a side says little: 2.00x as fast with the agent (7 confined arenas");
    assertThat(command(without, without, 1234).text())
        .contains("the times overlap (1,234 confined arenas closed, 1,230 of them small enough");
    assertThat(OutputFile.json(command(without, without, 1234).json()))
        .contains("\"verdict\": \"No clear difference: ", "\"arenasClosed\": 1234");
  }

  @Test
  void blamesTheAgentForOutputThatDiffersWithItAlone() {
    assertThat(command("out", "out", "other").text())
        .contains("Standard output DIFFERED with the agent.");
    assertThat(command("out", "another", "other").text())
        .contains("differs from run to run, without the agent too");
  }
}
