package dev.rockpool.cli.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One figure: a benchmark with a value for each of its parameters, in one mode on one JVM.
 *
 * <p>The names follow a rule, which {@code bench} keeps: {@code PACKAGE.Workload.contestant}.
 * Benchmarks named by a proposal for the JDK have methods that begin with the name of their
 * contestant there; the rest of the name is part of the workload.
 *
 * @param jvm the JVM
 * @param mode the kind of JVM and of thread
 * @param sweep whether it is part of a sweep, not of the benchmarks with their own parameters
 * @param name of the benchmark, without its package
 * @param parameters names and values
 * @param jmh all that JMH wrote of it
 */
record Result(
    Jvm jvm,
    Mode mode,
    boolean sweep,
    String name,
    SortedMap<String, String> parameters,
    JsonObject jmh) {
  /** The contestant that the others are compared with. */
  static final String JDK = "jdk";

  static final String ROCKPOOL = "rockpool";
  static final String OWN_POOL = "ownPool";

  /** The beginnings of methods named by a proposal, and the contestants that they stand for. */
  private static final Map<String, String> PROPOSED =
      Map.of(
          "confined", JDK,
          "pooled", OWN_POOL,
          "circle_", JDK,
          "explicitAllocation", JDK,
          "tlAllocation", OWN_POOL,
          "adaptedSysCall", ROCKPOOL,
          "captureStateUtil", "captureStateUtil",
          "preallocated", "preallocated");

  private static final Pattern PROPOSED_METHOD =
      Pattern.compile("(" + String.join("|", PROPOSED.keySet()) + ")(\\w*)");

  private static final String GARBAGE = "gc.alloc.rate.norm";
  private static final String UNIT = "ns/op";

  /** The result that JMH wrote as {@code jmh}. */
  static Result of(Jvm jvm, Mode mode, boolean sweep, JsonObject jmh) {
    String unit = jmh.getAsJsonObject("primaryMetric").get("scoreUnit").getAsString();
    if (!unit.equals(UNIT)) {
      throw new JsonParseException("times must be in " + UNIT + ": they are in " + unit);
    }
    SortedMap<String, String> parameters = new TreeMap<>();
    JsonElement params = jmh.has("params") ? jmh.get("params") : new JsonObject();
    params.getAsJsonObject().asMap().forEach((k, v) -> parameters.put(k, v.getAsString()));
    String name = withoutPackage(jmh.get("benchmark").getAsString());
    return new Result(jvm, mode, sweep, name, parameters, jmh);
  }

  /** Packages begin with a small letter, and classes do not. */
  static String withoutPackage(String name) {
    return name.replaceFirst("^(?:[a-z]\\w*\\.)+(?=[A-Z])", "");
  }

  /** The work that is done: the name of a class. */
  String workload() {
    String type = name.substring(0, name.indexOf('.'));
    Matcher proposed = PROPOSED_METHOD.matcher(method());
    return proposed.matches() ? (type + " " + proposed.group(2)).strip() : type;
  }

  /** The one who does it: the name of a method, and how the mode differs. */
  String contestant() {
    Matcher proposed = PROPOSED_METHOD.matcher(method());
    return mode.contestant(
        proposed.matches() ? PROPOSED.getOrDefault(proposed.group(1), method()) : method());
  }

  private String method() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The parameters in one line, such as {@code size=5}. */
  String parameterText() {
    return parameters.entrySet().stream().map(Object::toString).collect(Collectors.joining(" "));
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
}
