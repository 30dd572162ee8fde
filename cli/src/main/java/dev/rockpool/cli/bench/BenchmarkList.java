package dev.rockpool.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what JMH prints with {@code -lp}: each benchmark, and under it the values of its
 * parameters.
 *
 * <pre>
 * Benchmarks:
 * dev.rockpool.bench.ConfinedAllocation.jdk
 *   param "size" = {0, 5, 8}
 * </pre>
 */
final class BenchmarkList {
  private static final Pattern NAME = Pattern.compile("[\\w$]+(?:\\.[\\w$]+)+");
  private static final Pattern PARAMETER =
      Pattern.compile("\\s+param \"(?<name>[^\"]+)\" = \\{(?<values>.*)}");

  private BenchmarkList() {}

  /** Everything that JMH is going to measure, in its order. */
  static List<BenchmarkId> parse(List<String> lines) {
    List<BenchmarkId> all = new ArrayList<>();
    List<BenchmarkId> current = List.of();
    for (String line : lines) {
      Matcher parameter = PARAMETER.matcher(line);
      if (parameter.matches()) {
        String[] values = parameter.group("values").split(", ", -1);
        current = withEach(current, parameter.group("name"), values);
      } else if (NAME.matcher(line).matches()) {
        all.addAll(current);
        current = List.of(BenchmarkId.of(line, Map.of()));
      }
    }
    all.addAll(current);
    return all;
  }

  private static List<BenchmarkId> withEach(
      List<BenchmarkId> benchmarks, String name, String[] values) {
    List<BenchmarkId> result = new ArrayList<>();
    for (BenchmarkId benchmark : benchmarks) {
      for (String value : values) {
        TreeMap<String, String> parameters = new TreeMap<>(benchmark.parameters());
        parameters.put(name, value);
        result.add(new BenchmarkId(benchmark.name(), parameters));
      }
    }
    return result;
  }
}
