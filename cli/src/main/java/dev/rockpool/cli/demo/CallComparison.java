package dev.rockpool.cli.demo;

import static dev.rockpool.cli.support.Statistics.median;
import static dev.rockpool.cli.support.Statistics.threeDigits;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.Measurement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A call's measurements, round by round: as many without as with the agent. */
record CallComparison(Call call, List<Measurement> without, List<Measurement> with) {
  /** Fails unless the agent was at work on its side alone, and each JVM got the same result. */
  void check() {
    Set<String> arenaClasses = distinct(with, Measurement::arenaClass);
    arenaClasses.retainAll(distinct(without, Measurement::arenaClass));
    if (!arenaClasses.isEmpty()) {
      throw new CommandFailure(
          "The agent must change the class of confined arenas: for "
              + call.function()
              + " it is "
              + arenaClasses.iterator().next()
              + " on both sides; does an environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS)"
              + " load the agent or switch it off?");
    }
    Set<String> resultsWithout = distinct(without, Measurement::result);
    Set<String> resultsWith = distinct(with, Measurement::result);
    if (resultsWithout.size() != 1 || !resultsWith.equals(resultsWithout)) {
      throw new CommandFailure(
          call.function()
              + " must return the same without and with the agent: without="
              + resultsWithout
              + ", with="
              + resultsWith);
    }
  }

  private static Set<String> distinct(
      List<Measurement> measurements, Function<Measurement, String> value) {
    return measurements.stream().map(value).collect(Collectors.toCollection(TreeSet::new));
  }

  double nanosWithout() {
    return middle(without, Measurement::nanosPerCall);
  }

  double nanosWith() {
    return middle(with, Measurement::nanosPerCall);
  }

  /** How many times faster the call is with the agent. */
  double ratio() {
    return nanosWithout() / nanosWith();
  }

  double bytesWithout() {
    return middle(without, Measurement::bytesPerCall);
  }

  double bytesWith() {
    return middle(with, Measurement::bytesPerCall);
  }

  /** What the call returned in words, on both sides. */
  String result() {
    return without.getFirst().result();
  }

  private static double middle(
      List<Measurement> measurements, ToDoubleFunction<Measurement> value) {
    return median(measurements.stream().mapToDouble(value).toArray());
  }

  @Override
  public String toString() {
    return call.function()
        + ": "
        + threeDigits(nanosWithout())
        + " ns without, "
        + threeDigits(nanosWith())
        + " ns with the agent";
  }
}
