package dev.rockpool.cli.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The work of one start of JMH.
 *
 * @param mode the kind of JVM and of thread
 * @param sweep whether it is one allocation of each size, or every workload
 * @param arguments what to measure and how, as options of JMH
 */
record Plan(Mode mode, boolean sweep, List<String> arguments) {
  /** Short enough that what is quick takes less than five minutes; by default, forks are three. */
  static final List<String> QUICK =
      List.of("-f", "1", "-wi", "4", "-w", "200ms", "-i", "5", "-r", "80ms");

  private static final int LAST_SIZE = 64;

  /**
   * The benchmarks of each mode.
   *
   * @param filter a pattern to find in their names, or null for all; when {@code quick}, for those
   *     of most interest
   */
  static List<Plan> benchmarks(
      Collection<Mode> modes, @Nullable String filter, boolean quick, List<String> settings) {
    return modes.stream()
        .map(
            mode -> {
              List<String> arguments = new ArrayList<>(List.of(filter == null ? ".*" : filter));
              arguments.addAll(mode.exclusions(quick && filter == null));
              return of(mode, false, arguments, settings);
            })
        .toList();
  }

  /** One allocation of each size from 0 to 64 in each mode. */
  static List<Plan> sweep(Collection<Mode> modes, List<String> settings) {
    String sizes =
        IntStream.rangeClosed(0, LAST_SIZE)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return modes.stream()
        .map(
            mode -> {
              List<String> arguments =
                  new ArrayList<>(List.of("\\.ConfinedAllocation\\.(jdk|rockpool)$"));
              arguments.addAll(mode.exclusions(false));
              arguments.addAll(List.of("-p", "size=" + sizes));
              return of(mode, true, arguments, settings);
            })
        .toList();
  }

  private static Plan of(Mode mode, boolean sweep, List<String> arguments, List<String> settings) {
    arguments.addAll(mode.options());
    arguments.addAll(settings);
    return new Plan(mode, sweep, List.copyOf(arguments));
  }
}
