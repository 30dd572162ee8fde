package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results that nobody measured, as JMH would write them. */
final class Samples {
  static final Jvm OLD = new Jvm(Path.of("/old"), "JDK 25", "Temurin", "HotSpot");
  static final Jvm NEW = new Jvm(Path.of("/new"), "JDK 28", "Debian", "HotSpot");

  private Samples() {}

  /** A result; an error below 0 is one that JMH could not compute. */
  static Result result(Jvm jvm, double nanos, double error, String name, String... size) {
    return result(jvm, Mode.PLATFORM, nanos, error, name, size);
  }

  static Result result(
      Jvm jvm, Mode mode, double nanos, double error, String name, String... size) {
    return Result.of(jvm, mode, false, json(nanos, error, name, size));
  }

  static Result sweep(Mode mode, double nanos, String name, String size) {
    return Result.of(OLD, mode, true, json(nanos, 0.1, name, size));
  }

  static JsonObject json(double nanos, double error, String name, String... size) {
    return JsonParser.parseString(
            """
            {
              "benchmark": "dev.rockpool.bench.%s",
              "mode": "avgt",
              "forks": 3,
              "warmupIterations": 5, "warmupTime": "300 ms",
              "measurementIterations": 10, "measurementTime": "200 ms",
              %s
              "primaryMetric": {"score": %s, "scoreError": %s, "scoreUnit": "ns/op"},
              "secondaryMetrics": {
                "gc.alloc.rate": {"score": 66.2, "scoreError": 1.0, "scoreUnit": "MB/sec"},
                "gc.alloc.rate.norm": {"score": 48.01, "scoreError": 0.1, "scoreUnit": "B/op"}
              }
            }
            """
                .formatted(
                    name,
                    size.length == 0 ? "" : "\"params\": {\"size\": \"" + size[0] + "\"},",
                    nanos,
                    error < 0 ? "\"NaN\"" : error))
        .getAsJsonObject();
  }

  static BenchReport report(List<Result> results, String... failures) {
    Map<String, String> origin = new LinkedHashMap<>();
    origin.put("Rockpool", "1.0");
    origin.put("Command", "./rockpool bench --filter '</script>'");
    return new BenchReport(origin, results, List.of(failures));
  }
}
