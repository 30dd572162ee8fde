package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.rockpool.cli.support.Statistics;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One figure: a benchmark with a value for each of its parameters, in one mode on one JVM.
 *
 * <p>The names follow a rule, which {@code bench} keeps: {@code PACKAGE.Workload.contestant}.
 * Benchmarks named by a proposal for the JDK have methods that begin with the name of their
 * contestant there; the rest of the name is part of the workload.
 *
 * @param sweep whether it is part of a sweep, not of the benchmarks with their own parameters
 * @param workload the work that is done
 * @param contestant the one who does it, and how the mode differs
 * @param jmh all that JMH wrote of it
 */
record Result(
    Jvm jvm, Mode mode, boolean sweep, String workload, String contestant, JsonObject jmh) {
  /** The contestant that the others are compared with. */
  static final String JDK = "jdk";

  /** The beginnings of methods named by a proposal, and the contestants that they stand for. */
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

  /** Packages begin with a small letter, and classes do not. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?:[a-z]\\w*\\.)*([A-Z]\\w*(?:\\.[A-Z]\\w*)*)\\.(?:(%s)(\\w*)|(\\w+))"
              .formatted(String.join("|", PROPOSED.keySet())));

  static Result of(Jvm jvm, Mode mode, boolean sweep, JsonObject jmh) {
    String unit = jmh.getAsJsonObject("primaryMetric").get("scoreUnit").getAsString();
    Matcher name = NAME.matcher(jmh.get("benchmark").getAsString());
    if (nanosIn(unit) == 0 || !name.matches()) {
      throw new JsonParseException("results must be times of an operation: they are in " + unit);
    }
    boolean proposed = name.group(2) != null;
    String workload = name.group(1) + (proposed ? " " + name.group(3) : "");
    if (jmh.get("mode").getAsString().equals("sample")) {
      workload += ", sampled"; // the same benchmark may have its mean, too
    }
    String contestant =
        proposed ? PROPOSED.getOrDefault(name.group(2), name.group(2)) : name.group(4);
    return new Result(jvm, mode, sweep, workload.strip(), mode.contestant(contestant), jmh);
  }

  SortedMap<String, String> parameters() {
    SortedMap<String, String> parameters = new TreeMap<>();
    if (jmh.has("params")) {
      jmh.getAsJsonObject("params").asMap().forEach((k, v) -> parameters.put(k, v.getAsString()));
    }
    return parameters;
  }

  /** Nanoseconds of an operation. */
  Score time() {
    JsonObject metric = jmh.getAsJsonObject("primaryMetric");
    Score score = Score.of(metric);
    double nanos = nanosIn(metric.get("scoreUnit").getAsString());
    return new Score(score.value * nanos, score.error * nanos);
  }

  /** Returns 0 for a unit of something other than the time of an operation. */
  private static double nanosIn(String unit) {
    return switch (unit) {
      case "ns/op" -> 1;
      case "us/op" -> 1e3;
      case "ms/op" -> 1e6;
      case "s/op" -> 1e9;
      default -> 0;
    };
  }

  /** Bytes of garbage per operation, or "-" if not measured; JMH's own few bytes are none. */
  String garbage() {
    JsonObject metric =
        jmh.getAsJsonObject("secondaryMetrics").getAsJsonObject("gc.alloc.rate.norm");
    if (metric == null) {
      return "-";
    }
    double bytes = Score.of(metric).value();
    return Score.decimal(bytes, Math.abs(bytes - Math.rint(bytes)) < 0.05 ? 0 : 1);
  }

  /** The time that it took, in words. */
  String settings() {
    int forks = jmh.get("forks").getAsInt();
    return "%s %s x %s to warm up and %s x %s measured"
        .formatted(
            forks == 1 ? "1 fork," : forks + " forks, each",
            jmh.get("warmupIterations"),
            jmh.get("warmupTime").getAsString(),
            jmh.get("measurementIterations"),
            jmh.get("measurementTime").getAsString());
  }

  /**
   * A figure and how far off it may be.
   *
   * @param value the mean
   * @param error half of the interval that holds the true mean with 99.9 % confidence, as JMH
   *     computes it, or NaN where there are too few samples to tell
   */
  record Score(double value, double error) {
    /** The score of a metric; JMH writes an error that it cannot compute as the string "NaN". */
    static Score of(JsonObject metric) {
      return new Score(metric.get("score").getAsDouble(), metric.get("scoreError").getAsDouble());
    }

    /** The value in as many digits as make sense, and the error if there is one. */
    String text() {
      double size = Math.abs(value);
      int decimals = size < 1 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
      return decimal(value, decimals)
          + (Double.isNaN(error) ? "" : " ±" + decimal(error, decimals));
    }

    private static String decimal(double number, int decimals) {
      return String.format(Locale.ROOT, "%." + decimals + "f", number + 0.0);
    }
  }

  /**
   * The factor by which one is faster than another: the times divided.
   *
   * @param value the ratio of the two scores
   * @param low the least that it can be within both errors, or NaN if they are not known
   * @param high the most, likewise; infinite if an error is as large as its score
   */
  record Ratio(double value, double low, double high) {
    /** Divides the time of {@code baseline} by that of {@code other}. */
    static Ratio of(Score baseline, Score other) {
      return new Ratio(
          baseline.value / other.value,
          Math.max(0, baseline.value - baseline.error) / (other.value + other.error),
          (baseline.value + baseline.error) / Math.max(0, other.value - other.error));
    }

    /** For example {@code 10.4x}, or {@code ~1.02x} where the errors let either be faster. */
    String text() {
      return (low <= 1 && high >= 1 ? "~" : "") + Statistics.threeDigits(value) + "x";
    }
  }
}
