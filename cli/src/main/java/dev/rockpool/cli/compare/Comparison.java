package dev.rockpool.cli.compare;

import static dev.rockpool.cli.support.Statistics.threeDigits;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import dev.rockpool.demo.CallTimer;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The runs of one program: as many without as with the agent. */
record Comparison(String name, Map<Side, List<Run>> runs) {
  /**
   * The figures of one JVM.
   *
   * @param time of a row in nanoseconds or of a process in seconds, the median of what was measured
   * @param fastest the least time that was measured
   * @param garbageBytes on the Java heap, for each call or row; NaN if not known
   * @param result in words, the same in each JVM
   * @param compiled whether the compiler was idle when the times were taken
   * @param hasAgent whether the agent was in the JVM, as far as that measured itself
   */
  record Run(
      double time,
      double fastest,
      double garbageBytes,
      String result,
      boolean compiled,
      boolean hasAgent) {
    static Run parse(List<String> lines) {
      if (lines.size() != 2 || !lines.getFirst().equals(CallTimer.HEADER)) {
        throw new CommandFailure(
            "A program that measures itself must print two lines, the first being '%s': it printed %s"
                .formatted(CallTimer.HEADER, lines));
      }
      List<String> values = List.of(lines.getLast().split(",", -1));
      return new Run(
          Double.parseDouble(values.get(2)),
          Double.parseDouble(values.get(3)),
          Double.parseDouble(values.get(4)),
          URLDecoder.decode(values.get(5), UTF_8),
          Boolean.parseBoolean(values.get(6)),
          Boolean.parseBoolean(values.get(7)));
    }

    static Run of(double seconds, String result) {
      return new Run(seconds, seconds, Double.NaN, result, true, false);
    }
  }

  /** Runs a program without and with the agent, by turns: what else runs here hits both alike. */
  static Comparison of(String name, int rounds, Function<Side, Run> program) {
    Map<Side, List<Run>> runs = new EnumMap<>(Side.class);
    for (int round = 0; round < rounds; round++) {
      for (Side side : Side.values()) {
        runs.computeIfAbsent(side, _ -> new ArrayList<>()).add(program.apply(side));
      }
    }
    return new Comparison(name, runs);
  }

  Comparison check() {
    if (!isIdentical()) {
      throw new CommandFailure(
          "%s must come to the same without and with the agent: without=%s, with=%s"
              .formatted(name, results(Side.WITHOUT), results(Side.WITH)));
    }
    return this;
  }

  boolean isIdentical() {
    return isSteadyWithout() && results(Side.WITH).equals(results(Side.WITHOUT));
  }

  /** Whether the runs without the agent gave equal results; if not, nothing can be compared. */
  boolean isSteadyWithout() {
    return results(Side.WITHOUT).size() == 1;
  }

  private Set<String> results(Side side) {
    return runs(side).stream().map(Run::result).collect(Collectors.toCollection(TreeSet::new));
  }

  List<Run> runs(Side side) {
    return runs.getOrDefault(side, List.of());
  }

  double time(Side side) {
    return median(side, Run::time);
  }

  /** The least time of all rounds: of all figures the one that other work disturbs least. */
  double fastest(Side side) {
    return runs(side).stream().mapToDouble(Run::fastest).min().orElseThrow();
  }

  double garbageBytes(Side side) {
    return median(side, Run::garbageBytes);
  }

  private double median(Side side, ToDoubleFunction<Run> value) {
    return Statistics.median(runs(side).stream().mapToDouble(value).toArray());
  }

  /** The time without the agent, in times with it. */
  double ratio() {
    return time(Side.WITHOUT) / time(Side.WITH);
  }

  /** The change of the time by the agent, in words: 15 % faster, 46 % slower, 2.50x as fast. */
  String change() {
    double change = 100 * (time(Side.WITH) / time(Side.WITHOUT) - 1);
    return ratio() >= 2
        ? threeDigits(ratio()) + "x as fast"
        : threeDigits(Math.abs(change)) + (change < 0 ? " % faster" : " % slower");
  }

  /** Whether each run of one side was faster than each of the other. */
  boolean isClear() {
    return slowest(Side.WITH) < fastest(Side.WITHOUT) || slowest(Side.WITHOUT) < fastest(Side.WITH);
  }

  private double slowest(Side side) {
    return runs(side).stream().mapToDouble(Run::time).max().orElseThrow();
  }

  boolean isCompiled() {
    return runs.values().stream().flatMap(List::stream).allMatch(Run::compiled);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("identical", isIdentical());
    json.put("ratio", ratio());
    json.put("compiled", isCompiled());
    json.put("without", json(Side.WITHOUT));
    json.put("with", json(Side.WITH));
    return json;
  }

  private Map<String, Object> json(Side side) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("median", time(side));
    json.put("fastest", fastest(side));
    if (!Double.isNaN(garbageBytes(side))) {
      json.put("garbageBytes", garbageBytes(side));
      json.put("result", runs(side).getFirst().result());
    }
    json.put("byRound", runs(side).stream().map(Run::time).toList());
    return json;
  }
}
