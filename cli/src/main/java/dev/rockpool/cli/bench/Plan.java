package dev.rockpool.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What one start of JMH is to measure.
 *
 * @param sweep whether it is one allocation of each size, or every workload
 * @param arguments what to measure and how, as options of JMH
 */
record Plan(boolean sweep, List<String> arguments) {
  /** Short enough that what is quick takes less than five minutes; by default, forks are three. */
  static final List<String> QUICK =
      List.of("-f", "1", "-wi", "4", "-w", "200ms", "-i", "5", "-r", "80ms");

  private static final int LAST_SIZE = 64;

  /** In other kinds of JVM and thread, not every contestant is of interest. */
  private static final List<String> LEFT_OUT =
      List.of(
          "UnderAgent\\.(?!jdk$|adapted|circle_by_value$)",
          "Opened\\.(?!rockpool$|pooled|adapted)",
          "(Interpreted|C1|OfVirtual)\\.(?!(jdk|rockpool)$|confined|pooled|circle)"
              + "(?<!CaptureStateUtilBench\\.OfVirtual\\.)");

  /** More than that, so that what is left takes less than five minutes. */
  private static final List<String> LEFT_OUT_WHEN_QUICK =
      List.of(
          "\\.(ownPool|threadLocalPool)$",
          "\\.(Interpreted|C1)\\.",
          "(?<!ConfinedAllocation)\\.OfVirtual",
          "\\bArenaPool\\w*Bench\\.",
          "\\.(tlAllocation|captureStateUtil|preallocated)",
          "\\.direct\\.");

  /** Everything, or when {@code quick}, what is of most interest. */
  static Plan everything(boolean quick, List<String> settings) {
    List<String> leftOut = new ArrayList<>(LEFT_OUT);
    leftOut.addAll(quick ? LEFT_OUT_WHEN_QUICK : List.of());
    return benchmarks(".*", leftOut, settings);
  }

  /** The benchmarks in whose name {@code filter} is found. */
  static Plan filtered(String filter, List<String> settings) {
    return benchmarks(filter, LEFT_OUT, settings);
  }

  private static Plan benchmarks(String include, List<String> leftOut, List<String> settings) {
    List<String> arguments = new ArrayList<>(List.of(include));
    leftOut.forEach(pattern -> arguments.addAll(List.of("-e", pattern)));
    arguments.addAll(settings);
    return new Plan(false, List.copyOf(arguments));
  }

  /** Who takes part in a sweep. */
  enum Sweep {
    PLATFORM("ConfinedAllocation\\.(jdk|rockpool|UnderAgent\\.jdk)$"),
    VIRTUAL(
        "ConfinedAllocation\\.OfVirtual(\\.jdk|\\.rockpool|Opened\\.rockpool|UnderAgent\\.jdk)$");

    private final String include;

    Sweep(String include) {
      this.include = include;
    }
  }

  /** One allocation of each size from 0 to 64. */
  static Plan sweep(Set<Sweep> sweeps, List<String> settings) {
    List<String> arguments = new ArrayList<>();
    sweeps.forEach(sweep -> arguments.add(sweep.include));
    String sizes =
        IntStream.rangeClosed(0, LAST_SIZE)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    arguments.addAll(List.of("-p", "size=" + sizes));
    arguments.addAll(settings);
    return new Plan(true, List.copyOf(arguments));
  }
}
