package dev.rockpool.cli.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Results that nobody measured. */
final class Samples {
  static final Jvm OLD = new Jvm(Path.of("/old"), "JDK 25", "25", "Temurin", "HotSpot");
  static final Jvm NEW = new Jvm(Path.of("/new"), "JDK 28", "28", "Debian", "HotSpot");

  private Samples() {}

  static BenchmarkId id(String name, String... parameters) {
    Map<String, String> map = new TreeMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      map.put(parameters[i], parameters[i + 1]);
    }
    return BenchmarkId.of("dev.rockpool.bench." + name, map);
  }

  static Result result(Jvm jvm, double nanos, double error, String name, String... parameters) {
    return result(jvm, Result.Part.BENCHMARKS, nanos, error, name, parameters);
  }

  static Result sweep(double nanos, String name, String size) {
    return result(OLD, Result.Part.SWEEP, nanos, 0.1, name, "size", size);
  }

  private static Result result(
      Jvm jvm, Result.Part part, double nanos, double error, String name, String... parameters) {
    return new Result(
        jvm, part, id(name, parameters), new Score(nanos, error), Score.of(48), "1 fork");
  }

  static Report report(List<Result> results, Report.Failure... failures) {
    Report.Origin origin =
        new Report.Origin(
            "1.0",
            "./rockpool bench --filter '</script>'",
            OffsetDateTime.parse("2026-01-02T03:04:05Z"),
            Duration.ofSeconds(90),
            "Linux",
            "some processor",
            0.25,
            List.of(OLD, NEW));
    return new Report(origin, results, List.of(failures));
  }
}
