package dev.rockpool.cli.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import java.io.IOException;
import java.io.PrintWriter;
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
import java.util.stream.Collectors;

/**
 * Starts JMH in the benchmarks' jar, for each JDK and plan once, and collects the results.
 *
 * @param raw a folder for JMH's results, and for logs of all that it writes
 */
record Jmh(Path jar, Path raw, List<Result> results, List<String> failures) {
  private static final String MAIN = "dev.rockpool.bench.Main";

  /** Begins the lines of that program about benchmarks without result. */
  private static final String NO_RESULT = "No result: ";

  /**
   * The work of one start of JMH.
   *
   * @param sweep whether it is one allocation of each size, or every workload
   * @param arguments what to measure and how, as options of JMH; more may be added
   */
  record Plan(Mode mode, boolean sweep, List<String> arguments) {
    @Override
    public String toString() {
      return mode + (sweep ? "-sweep" : "");
    }
  }

  /**
   * Measures, which may take hours, and shows on standard error how far it is.
   *
   * @param command what to type to do this again
   */
  static BenchReport measure(
      Path jar, List<Jvm> jvms, List<Plan> plans, Path folder, String command) {
    Path raw = OutputFile.folder(folder.resolve("raw"));
    Jmh jmh = new Jmh(jar, raw, new ArrayList<>(), new ArrayList<>());
    OffsetDateTime start = OffsetDateTime.now(ZoneId.systemDefault());
    Map<String, String> origin = new LinkedHashMap<>();
    origin.put("Rockpool", Installation.version() + Installation.commit());
    origin.put("Command", command);
    origin.put("System", Host.os());
    origin.put("Processor", Host.cpu() + Host.load());
    for (Jvm jvm : jvms) {
      origin.put(jvm.label(), jvm.vm() + ", " + jvm.vendor() + ", " + jvm.home());
      for (Plan plan : plans) {
        System.err.println("# " + jvm.label() + ", " + plan);
        jmh.measure(jvm, plan);
      }
    }
    if (jmh.results.isEmpty() && !jmh.failures.isEmpty()) {
      throw new CommandFailure(
          "No benchmark worked; the logs are in %s. The first to fail: %s"
              .formatted(raw, jmh.failures.getFirst()));
    }
    Duration took = Duration.between(start, OffsetDateTime.now(ZoneId.systemDefault()));
    origin.put("Start", start.truncatedTo(ChronoUnit.SECONDS) + ", took " + Progress.text(took));
    origin.put(
        "Measured",
        jmh.results.stream().map(Result::settings).distinct().collect(Collectors.joining("; ")));
    return new BenchReport(origin, List.copyOf(jmh.results), List.copyOf(jmh.failures));
  }

  private void measure(Jvm jvm, Plan plan) {
    String name = jvm.fileName() + "-" + plan;
    Path file = raw.resolve(name + ".json");
    Path log = raw.resolve(name + ".log");
    String where = (plan.mode() == Mode.PLATFORM ? "" : ", " + plan.mode()) + " on " + jvm.label();
    List<String> command =
        new ArrayList<>(List.of(jvm.java().toString(), "-cp", jar.toString(), MAIN));
    command.addAll(plan.arguments());
    command.addAll(List.of("-rf", "json", "-rff", file.toString()));
    // Benchmarks under the agent look for it from there.
    ProcessBuilder builder = new ProcessBuilder(command).directory(Installation.home().toFile());
    try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log), true)) {
      Files.deleteIfExists(file);
      int exitCode =
          ChildProcess.runLineByLine(
              builder,
              line -> {
                writer.println(line);
                if (line.matches("# (Benchmark|Parameters|Run progress): .*")) {
                  System.err.println(line);
                } else if (line.startsWith(NO_RESULT)) {
                  failures.add(line.substring(NO_RESULT.length()) + where + ": see " + log);
                }
              });
      if (exitCode != 0) {
        failures.add("JMH" + where + ": exit code " + exitCode + ", see " + log);
      }
      if (Files.exists(file) && Files.size(file) > 0) {
        for (JsonElement each : JsonParser.parseString(Files.readString(file)).getAsJsonArray()) {
          results.add(Result.of(jvm, plan.mode(), plan.sweep(), each.getAsJsonObject()));
        }
      }
    } catch (IOException | JsonParseException | IllegalStateException e) {
      // Results of other starts are not lost for it.
      failures.add("JMH" + where + ": " + e);
    }
  }
}
