package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.TimeLeft;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what was planned, on one JDK after the other, and writes the report.
 *
 * @param jar the benchmarks
 * @param jvms the JDKs
 * @param plans what to measure on each
 * @param folder a place for the report
 * @param command what to type to do this again
 */
record Bench(Path jar, List<Jvm> jvms, List<Plan> plans, Path folder, String command) {
  /**
   * Measures. The report may tell of failures; without a result there is only the first of them.
   */
  Report run() {
    Path raw = createFolder(folder.resolve("raw"));
    Map<String, String> origin = origin();
    long start = System.nanoTime();
    List<Result> results = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Jvm jvm : jvms) {
      Jmh jmh = new Jmh(jar, Installation.home(), jvm);
      for (Plan plan : plans) {
        System.err.println(
            "# %s, %s (%s of %s)"
                .formatted(
                    jvm.label(),
                    plan.mode() + (plan.sweep() ? ", each size" : ""),
                    plans.indexOf(plan) + 1,
                    plans.size()));
        try {
          Jmh.Outcome outcome = jmh.measure(plan, raw);
          results.addAll(outcome.results());
          failures.addAll(outcome.failures());
        } catch (CommandFailure e) {
          // Results of other starts are not lost for it.
          failures.add(e.getMessage() + ", on " + jvm.label());
        }
      }
    }
    if (results.isEmpty() && !failures.isEmpty()) {
      throw new CommandFailure(
          "No benchmark worked; the logs are in %s. The first to fail: %s"
              .formatted(raw, failures.getFirst()));
    }
    Duration duration = Duration.ofNanos(System.nanoTime() - start);
    origin.merge("Start", TimeLeft.text(duration), "%s, took %s"::formatted);
    String settings =
        results.stream().map(Result::settings).distinct().reduce("%s; %s"::formatted).orElse("");
    origin.put("Measured", settings);
    return new Report(origin, List.copyOf(results), List.copyOf(failures));
  }

  private Map<String, String> origin() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Map<String, String> origin = new LinkedHashMap<>();
    origin.put("Rockpool", Installation.version() + commit());
    origin.put("Command", command);
    origin.put(
        "Start",
        OffsetDateTime.now(ZoneId.systemDefault())
            .truncatedTo(ChronoUnit.SECONDS)
            .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    origin.put("System", Host.os());
    origin.put(
        "Processor",
        Host.cpu()
            + (load < 0 ? "" : String.format(Locale.ROOT, "; load average before: %.2f", load)));
    jvms.forEach(
        jvm -> origin.put(jvm.label(), jvm.vm() + ", " + jvm.vendor() + ", " + jvm.home()));
    return origin;
  }

  /** The name that git gives to the sources; nothing where it is not there to be asked. */
  private static String commit() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .directory(Installation.home().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (BufferedReader reader = git.inputReader()) {
        String name = reader.readLine();
        return name == null ? "" : " (commit " + name + ")";
      }
    } catch (IOException e) {
      return "";
    }
  }

  /** Writes the report in all its forms, and its pictures. */
  void write(Report report) {
    new JsonFile(folder.resolve("results.json")).write(report.json());
    write("index.html", ReportPage.of(report).html());
    write("table.txt", report.text());
    write("table.md", report.markdown());
    String note = Host.cpu() + ", " + Host.os() + ", " + LocalDate.now(ZoneId.systemDefault());
    Pictures.sweeps(report.comparisons(), note)
        .forEach((name, picture) -> write(name, picture.svg()));
  }

  private void write(String name, String content) {
    new OutputFile(folder.resolve(name), "a report").write(content);
  }

  private static Path createFolder(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new CommandFailure("Cannot make folder " + folder + ": " + e, e);
    }
  }
}
