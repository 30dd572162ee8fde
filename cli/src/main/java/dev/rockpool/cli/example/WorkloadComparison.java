package dev.rockpool.cli.example;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * A workload's figures, round by round, and what the report forecast.
 *
 * @param rowsRecorded rows that were gone through while it was recorded
 */
record WorkloadComparison(
    String workload,
    List<RowFigures> without,
    List<RowFigures> with,
    long rowsRecorded,
    ReportedGain reported) {

  /** Fails unless each JVM came to the same. */
  void check() {
    Set<String> results = new TreeSet<>();
    without.forEach(figures -> results.add(figures.result()));
    with.forEach(figures -> results.add(figures.result()));
    if (results.size() != 1) {
      throw new CommandFailure(
          workload + " must come to the same without and with the agent: it came to " + results);
    }
  }

  private List<RowFigures> rounds(Side side) {
    return side == Side.WITH ? with : without;
  }

  /** The median of the rounds' medians. */
  double nanos(Side side) {
    return median(side, RowFigures::nanos);
  }

  /** The fastest batch of all rounds: of all figures the one that other work disturbs least. */
  double fastestNanos(Side side) {
    return rounds(side).stream().mapToDouble(RowFigures::fastestNanos).min().orElseThrow();
  }

  double garbageBytes(Side side) {
    return median(side, RowFigures::garbageBytes);
  }

  private double median(Side side, ToDoubleFunction<RowFigures> value) {
    return Statistics.median(rounds(side).stream().mapToDouble(value).toArray());
  }

  double savedNanos() {
    return nanos(Side.WITHOUT) - nanos(Side.WITH);
  }

  double fastestSavedNanos() {
    return fastestNanos(Side.WITHOUT) - fastestNanos(Side.WITH);
  }

  /** What the report says that the pool would save, for each row. */
  double forecastNanos() {
    return reported.nanos() / rowsRecorded;
  }

  double arenasPerRow() {
    return (double) reported.arenas() / rowsRecorded;
  }
}
