package dev.rockpool.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one start of JMH is to measure.
 *
 * @param part what it is for
 * @param arguments what to measure and how, as options of JMH
 */
record Plan(Result.Part part, List<String> arguments) {
  /** Short enough that everything takes less than five minutes; by default, forks are three. */
  static final List<String> QUICK =
      List.of("-f", "1", "-wi", "4", "-w", "200ms", "-i", "5", "-r", "80ms");

  private static final int LAST_SIZE = 64;

  /** In other kinds of JVM, not every contestant is of interest. */
  private static final List<String> LEFT_OUT =
      List.of("UnderAgent\\.(?!jdk$)", "(Interpreted|C1)\\.(?!(jdk|rockpool)$)");

  /** The benchmarks in whose name {@code filter} is found, all if there is none. */
  static Plan benchmarks(@Nullable String filter, List<String> settings) {
    List<String> arguments = new ArrayList<>(List.of(filter == null ? ".*" : filter));
    LEFT_OUT.forEach(pattern -> arguments.addAll(List.of("-e", pattern)));
    arguments.addAll(settings);
    return new Plan(Result.Part.BENCHMARKS, List.copyOf(arguments));
  }

  /** One allocation of each size from 0 to 64. */
  static Plan sweep(List<String> settings) {
    String sizes =
        IntStream.rangeClosed(0, LAST_SIZE)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    List<String> arguments =
        new ArrayList<>(List.of("ConfinedAllocation\\.(jdk|rockpool)$", "-p", "size=" + sizes));
    arguments.addAll(settings);
    return new Plan(Result.Part.SWEEP, List.copyOf(arguments));
  }
}
