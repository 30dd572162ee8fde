package dev.rockpool.bench.command;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One result: what a contestant takes for a workload, with a value for each parameter.
 *
 * @param thread the kind of thread, empty for platform threads
 * @param nanos mean time of an operation
 * @param median of the measured times of an operation, which one disturbed iteration leaves alone
 * @param error half of the interval that holds the true mean with 99.9 % confidence; NaN if unknown
 * @param garbage bytes of an operation on the heap; NaN if unknown
 */
record Figure(
    String thread,
    String workload,
    String contestant,
    SortedMap<String, String> parameters,
    double nanos,
    double median,
    double error,
    double garbage) {
  /** The contestant that the others are compared with. */
  static final String JDK = "jdk";

  /** A benchmark may have both a mean and samples. */
  private static final String SAMPLED = ", sampled";

  /** The beginnings of methods named by a proposal for the JDK, and whom they stand for. */
  private static final Map<String, String> PROPOSED =
      Map.of(
          "confined", JDK,
          "pooled", "ownPool",
          "circle_", JDK,
          "explicitAllocation", JDK,
          "tlAllocation", "ownPool",
          "adaptedSysCall", "rockpool",
          "captureStateUtil", "captureStateUtil",
          "preallocated", "preallocated");

  /**
   * {@code PACKAGE.Workload.contestant}, where classes begin with a capital letter. The rest of a
   * proposed method's name belongs to the workload.
   */
  private static final Pattern NAME =
      Pattern.compile(
          "(?:[a-z]\\w*\\.)*([A-Z]\\w*(?:\\.[A-Z]\\w*)*)\\.(?:(%s)(\\w*)|(\\w+))(?:%s)?"
              .formatted(String.join("|", PROPOSED.keySet()), SAMPLED));

  static Figure of(Mode mode, RunResult result) {
    BenchmarkParams params = result.getParams();
    Result<?> time = result.getPrimaryResult();
    Result<?> garbage = result.getSecondaryResults().get("gc.alloc.rate.norm");
    double unit = params.getTimeUnit().toNanos(1);
    boolean isSampled = params.getMode() == org.openjdk.jmh.annotations.Mode.SampleTime;
    return of(
        mode,
        params.getBenchmark() + (isSampled ? SAMPLED : ""),
        parametersOf(params),
        time.getScore() * unit,
        time.getStatistics().getPercentile(50) * unit,
        time.getScoreError() * unit,
        garbage == null ? Double.NaN : garbage.getScore());
  }

  static Figure of(
      Mode mode,
      String benchmark,
      SortedMap<String, String> parameters,
      double nanos,
      double median,
      double error,
      double garbage) {
    Matcher name = NAME.matcher(benchmark);
    if (!name.matches()) {
      throw new IllegalArgumentException("A benchmark must be in a class: " + benchmark);
    }
    @Nullable String proposed = name.group(2);
    String workload = name.group(1) + (proposed == null ? "" : " " + name.group(3)).stripTrailing();
    String contestant =
        proposed == null ? name.group(4) : PROPOSED.getOrDefault(proposed, proposed);
    return new Figure(
        mode.thread,
        workload + (benchmark.endsWith(SAMPLED) ? SAMPLED : ""),
        mode.nameOf(contestant),
        parameters,
        nanos,
        median,
        error,
        garbage);
  }

  private static SortedMap<String, String> parametersOf(BenchmarkParams params) {
    SortedMap<String, String> parameters = new TreeMap<>();
    params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
    return parameters;
  }

  /** A benchmark as messages call it, such as {@code ConfinedAllocation.jdk {size=5}}. */
  static String nameOf(BenchmarkParams params) {
    return params.getBenchmark().replaceFirst("^(?:[a-z]\\w*\\.)+(?=[A-Z])", "")
        + (params.getParamsKeys().isEmpty() ? "" : " " + parametersOf(params));
  }

  /** The time in as many digits as make sense, and the error if there is one. */
  String time() {
    int decimals = nanos < 1 ? 3 : nanos < 100 ? 2 : nanos < 1000 ? 1 : 0;
    return decimal(nanos, decimals) + (Double.isNaN(error) ? "" : " ±" + decimal(error, decimals));
  }

  /** The garbage, without JMH's own few bytes. */
  String bytes() {
    return Double.isNaN(garbage)
        ? "-"
        : decimal(garbage, Math.abs(garbage - Math.rint(garbage)) < 0.05 ? 0 : 1);
  }

  /**
   * The time of {@code baseline} divided by this one, such as {@code 10.4x}; {@code ~1.02x} if the
   * errors overlap.
   */
  String ratio(Figure baseline) {
    double ratio = baseline.nanos / nanos;
    boolean isChance = Math.abs(baseline.nanos - nanos) <= baseline.error + error;
    return (isChance ? "~" : "") + decimal(ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0) + "x";
  }

  private static String decimal(double number, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number + 0.0);
  }
}
