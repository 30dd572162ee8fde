package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.TimeLeft;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures what was planned, on one JDK after the other, and writes the report. */
final class Bench {
  private final Path home;
  private final List<Jvm> jvms;
  private final Path folder;
  private final String command;
  private final List<Step> steps = new ArrayList<>();

  private final List<Result> results = new ArrayList<>();
  private final Map<String, String> failures = new LinkedHashMap<>();

  /** One start of JMH, and what it is going to measure. */
  private record Step(Jmh jmh, Plan plan, List<BenchmarkId> benchmarks) {
    String fileName() {
      return jmh.jvm().fileName() + plan.part().suffix();
    }

    String describe(BenchmarkId benchmark) {
      return benchmark + " on " + jmh.jvm().label();
    }
  }

  /**
   * Plans; starts JMH to know what there is to do, but measures nothing.
   *
   * @param home the project's folder
   * @param jar the benchmarks
   * @param jvms where to measure
   * @param plans what to measure on each
   * @param folder where to write the report
   * @param command how this was called
   */
  Bench(Path home, Path jar, List<Jvm> jvms, List<Plan> plans, Path folder, String command) {
    this.home = home;
    this.jvms = jvms;
    this.folder = folder;
    this.command = command;
    for (Jvm jvm : jvms) {
      Jmh jmh = new Jmh(jar, home, jvm);
      for (Plan plan : plans) {
        List<BenchmarkId> benchmarks = jmh.list(plan.arguments());
        if (!benchmarks.isEmpty()) {
          steps.add(new Step(jmh, plan, benchmarks));
        }
      }
    }
  }

  /** How many figures there will be. */
  int size() {
    return steps.stream().mapToInt(step -> step.benchmarks().size()).sum();
  }

  /** Measures, and writes the report, which may tell of failures. */
  Report run() {
    Path raw = createFolder(folder.resolve("raw"));
    OffsetDateTime start =
        OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    long startNanos = System.nanoTime();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    TimeLeft timeLeft = new TimeLeft(size(), startNanos);
    try (Progress progress = Progress.of(size())) {
      for (Step step : steps) {
        run(step, raw, progress, timeLeft);
      }
    }
    if (results.isEmpty()) {
      throw new CommandFailure(
          "No benchmark worked. The first to fail: " + failureList().getFirst().text());
    }
    Report.Origin origin =
        new Report.Origin(
            Installation.version() + commit().map(id -> " (commit " + id + ")").orElse(""),
            command,
            start,
            Duration.ofNanos(System.nanoTime() - startNanos),
            Host.os(),
            Host.cpu(),
            load,
            jvms);
    Report report = new Report(origin, List.copyOf(results), failureList());
    write(report);
    return report;
  }

  private void run(Step step, Path raw, Progress progress, TimeLeft timeLeft) {
    Path json = raw.resolve(step.fileName() + ".json");
    List<String> arguments = new ArrayList<>(step.plan().arguments());
    arguments.addAll(List.of("-rf", "json", "-rff", json.toString()));
    try {
      Files.deleteIfExists(json);
      step.jmh()
          .measure(
              arguments,
              raw.resolve(step.fileName() + ".log"),
              new JmhLog(new Told(step, progress, timeLeft)));
      List<Result> measured = JmhResults.read(json, step.jmh().jvm(), step.plan().part());
      results.addAll(measured);
      List<BenchmarkId> found = measured.stream().map(Result::id).toList();
      step.benchmarks().stream()
          .filter(benchmark -> !found.contains(benchmark))
          .forEach(missing -> failures.putIfAbsent(step.describe(missing), "no result"));
    } catch (IOException e) {
      throw new CommandFailure("Cannot replace " + json + ": " + e.getMessage(), e);
    } catch (CommandFailure e) {
      // What was measured on other JDKs is not lost for it.
      failures.put("JMH on " + step.jmh().jvm().label(), String.valueOf(e.getMessage()));
    }
  }

  /** Passes news on to whoever waits, and remembers what failed. */
  private final class Told implements JmhLog.Listener {
    private final Step step;
    private final Progress progress;
    private final TimeLeft timeLeft;

    Told(Step step, Progress progress, TimeLeft timeLeft) {
      this.step = step;
      this.progress = progress;
      this.timeLeft = timeLeft;
    }

    @Override
    public void begins(BenchmarkId benchmark) {
      progress.begin(step.describe(benchmark) + timeLeft.text(System.nanoTime()));
    }

    @Override
    public void succeeded(BenchmarkId benchmark, String score) {
      ended(step.describe(benchmark) + ": " + score);
    }

    @Override
    public void failed(BenchmarkId benchmark, String reason) {
      failures.put(step.describe(benchmark), reason);
      ended(step.describe(benchmark) + " failed: " + reason);
    }

    private void ended(String what) {
      timeLeft.step();
      progress.done(what + timeLeft.text(System.nanoTime()));
    }
  }

  private List<Report.Failure> failureList() {
    return failures.entrySet().stream()
        .map(entry -> new Report.Failure(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** What git calls the sources; nothing where it is not there to be asked. */
  private Optional<String> commit() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .directory(home.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (BufferedReader reader = git.inputReader()) {
        return Optional.ofNullable(reader.readLine());
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void write(Report report) {
    JsonObject json = ReportJson.of(report);
    new JsonFile(folder.resolve("results.json")).write(json);
    write("table.txt", ReportText.text(report));
    write("table.md", ReportText.markdown(report));
    write("index.html", ReportPage.of(json));
    SweepPicture.of(report).forEach(picture -> write(picture.fileName(), picture.svg()));
  }

  private void write(String name, String content) {
    Path file = folder.resolve(name);
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static Path createFolder(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new CommandFailure("Cannot make folder " + folder + ": " + e, e);
    }
  }
}
