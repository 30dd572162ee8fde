package dev.rockpool.cli.bench;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Follows what JMH writes while it measures, line by line.
 *
 * <pre>
 * # Benchmark: dev.rockpool.bench.ConfinedAllocation.jdk
 * # Parameters: (size = 5)
 *
 * # Run progress: 12.50% complete, ETA 00:01:23
 * # Fork: 1 of 3
 * ...
 * Result "dev.rockpool.bench.ConfinedAllocation.jdk":
 *   22.310 ±(99.9%) 0.104 ns/op [Average]
 * </pre>
 *
 * <p>Where a benchmark fails there is {@code <failure>}, perhaps in place of an iteration's score,
 * with the exception after it, or {@code <forked VM failed with exit code 1>} with what the JVM
 * said.
 */
final class JmhLog implements Consumer<String> {
  private static final String BENCHMARK = "# Benchmark: ";
  private static final String PARAMETERS = "# Parameters: (";
  private static final String FORK = "# Fork: ";
  private static final String RESULT = "Result \"";
  private static final Pattern PARAMETER = Pattern.compile("(\\w+) = (.*?)(?:, (?=\\w+ = )|\\)$)");
  private static final Pattern FAILURE =
      Pattern.compile("(?:.*Iteration .*: )?<failure>|<forked VM failed.*>");

  /** What there is to tell. */
  interface Listener {
    /** JMH begins with a benchmark. */
    void begins(BenchmarkId benchmark);

    /** A benchmark has a result, which JMH shows as {@code score}. */
    void succeeded(BenchmarkId benchmark, String score);

    /** A benchmark has failed; {@code reason} is the first that was said of it. */
    void failed(BenchmarkId benchmark, String reason);
  }

  /** Which line comes next. */
  private enum Expected {
    ANY,
    SCORE,
    REASON
  }

  private final Listener listener;
  private @Nullable BenchmarkId current;
  private boolean begun;
  private Expected expected = Expected.ANY;

  JmhLog(Listener listener) {
    this.listener = listener;
  }

  @Override
  public void accept(String line) {
    if (line.startsWith(BENCHMARK)) {
      current = BenchmarkId.of(line.substring(BENCHMARK.length()), new TreeMap<>());
      begun = false;
      expected = Expected.ANY;
    } else if (current != null) {
      follow(current, line);
    }
  }

  private void follow(BenchmarkId benchmark, String line) {
    if (line.startsWith(PARAMETERS)) {
      current = new BenchmarkId(benchmark.name(), parameters(line));
    } else if (line.startsWith(FORK)) {
      if (!begun) {
        listener.begins(benchmark);
      }
      begun = true;
    } else if (line.startsWith(RESULT)) {
      expected = Expected.SCORE;
    } else if (FAILURE.matcher(line).matches()) {
      expected = Expected.REASON;
    } else if (expected == Expected.SCORE) {
      expected = Expected.ANY;
      listener.succeeded(benchmark, line.replaceAll("\\(99.9%\\) |\\[.*", "").strip());
    } else if (expected == Expected.REASON && isSaid(line)) {
      expected = Expected.ANY;
      listener.failed(benchmark, line.strip());
    }
  }

  /** Neither empty nor JMH's own markup. */
  private static boolean isSaid(String line) {
    return !line.isBlank() && !line.startsWith("<") && !line.startsWith("WARNING");
  }

  private static SortedMap<String, String> parameters(String line) {
    TreeMap<String, String> parameters = new TreeMap<>();
    Matcher matcher = PARAMETER.matcher(line.substring(PARAMETERS.length()));
    while (matcher.find()) {
      parameters.put(matcher.group(1), matcher.group(2));
    }
    return parameters;
  }
}
