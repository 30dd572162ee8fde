package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.util.Map;
import java.util.TreeMap;

/**
 * One figure: a benchmark with a value for each of its parameters, on one JVM.
 *
 * @param jvm the JVM
 * @param sweep whether it is part of a sweep, not of the benchmarks with their own parameters
 * @param id the benchmark
 * @param jmh all that JMH wrote of it
 */
record Result(Jvm jvm, boolean sweep, BenchmarkId id, JsonObject jmh) {
  private static final String GARBAGE = "gc.alloc.rate.norm";
  private static final String UNIT = "ns/op";

  static Result of(Jvm jvm, boolean sweep, JsonObject jmh) {
    Map<String, String> parameters = new TreeMap<>();
    if (jmh.has("params")) {
      jmh.getAsJsonObject("params").asMap().forEach((k, v) -> parameters.put(k, v.getAsString()));
    }
    String unit = jmh.getAsJsonObject("primaryMetric").get("scoreUnit").getAsString();
    if (!unit.equals(UNIT)) {
      throw new JsonParseException("times must be in " + UNIT + ": they are in " + unit);
    }
    return new Result(
        jvm, sweep, BenchmarkId.of(jmh.get("benchmark").getAsString(), parameters), jmh);
  }

  /** Nanoseconds per operation. */
  Score time() {
    return Score.of(jmh.getAsJsonObject("primaryMetric"));
  }

  /** Bytes of garbage per operation, NaN if not measured. */
  Score garbage() {
    JsonObject metrics = jmh.getAsJsonObject("secondaryMetrics");
    return metrics.has(GARBAGE)
        ? Score.of(metrics.getAsJsonObject(GARBAGE))
        : new Score(Double.NaN, Double.NaN);
  }

  /** How it was measured, in words. */
  String settings() {
    int forks = jmh.get("forks").getAsInt();
    return "%s, %s x %s to warm up and %s x %s measured"
        .formatted(
            forks == 1 ? "1 fork" : forks + " forks, each",
            jmh.get("warmupIterations"),
            jmh.get("warmupTime").getAsString(),
            jmh.get("measurementIterations"),
            jmh.get("measurementTime").getAsString())
        .replace("each,", "each");
  }
}
