package dev.rockpool.cli.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import dev.rockpool.cli.support.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * {@code ./rockpool bench --forecast}: the forecast of {@code report} for whole programs, beside
 * the processor time that the agent then saves. Runs without and with the agent take turns.
 */
final class ForecastRuns {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path programs;
  private final int rounds;
  private final ChildrenUsage usage = new ChildrenUsage();

  ForecastRuns(Path programs, int rounds) {
    this.programs = programs;
    this.rounds = rounds;
  }

  /**
   * The outcome for one program.
   *
   * @param saved seconds of processor time, of each pair of runs
   * @param report of the recording
   */
  record Outcome(Program program, Jvm jvm, List<Double> saved, JsonObject report) {
    double median() {
      return Statistics.median(saved.stream().mapToDouble(each -> each).toArray());
    }

    private double forecast(String bound) {
      return report.getAsJsonObject("forecast").getAsJsonObject("netNanos").get(bound).getAsDouble()
          / 1e9;
    }

    /** The middle of the forecast in times of the outcome. */
    double ratio() {
      return (forecast("low") + forecast("high")) / 2 / median();
    }

    private String verdict() {
      return report.getAsJsonObject("verdict").get("worth").getAsString();
    }

    void addTo(TextTable table) {
      table.row(
          program.label() + ", " + jvm.label(),
          seconds(median()),
          seconds(Collections.min(saved)) + " to " + seconds(Collections.max(saved)),
          seconds(forecast("low")) + " to " + seconds(forecast("high")),
          String.format(Locale.ROOT, "%.2f", ratio()));
    }

    private JsonObject toJson() {
      JsonObject json = new JsonObject();
      json.addProperty("program", program.label());
      json.addProperty("jdk", jvm.label());
      JsonArray all = new JsonArray();
      saved.forEach(all::add);
      json.add("savedSeconds", all);
      json.add("forecast", report.get("forecast"));
      json.addProperty("verdict", verdict());
      return json;
    }
  }

  void run(List<Program> all, List<Jvm> jvms, Path folder) {
    List<Outcome> outcomes = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      for (Program program : all) {
        for (Jvm jvm : jvms) {
          progress.begin(program.label() + ", " + jvm.label());
          Outcome outcome = outcome(program, jvm, scratch.path());
          outcomes.add(outcome);
          progress.done(program.label() + ", " + jvm.label() + ": " + outcome.verdict());
        }
      }
    }
    TextTable table =
        new TextTable("processor time", "saved", "of " + rounds, "forecast", "forecast to saved");
    JsonArray json = new JsonArray();
    for (Outcome outcome : outcomes) {
      outcome.addTo(table);
      json.add(outcome.toJson());
    }
    System.out.print(table);
    System.out.println();
    for (Outcome outcome : outcomes) {
      System.out.println(
          outcome.program().label() + ", " + outcome.jvm().label() + ". " + outcome.verdict());
    }
    System.out.println("\n" + Host.cpu() + ", " + Host.os());
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new CommandFailure("Cannot make " + folder + ": " + e.getMessage(), e);
    }
    JsonObject whole = JsonFile.measuredHere();
    whole.add("programs", json);
    new JsonFile(folder.resolve("forecast.json")).write(whole);
  }

  /** The report calibrates between the two halves of the runs, in the same weather. */
  private Outcome outcome(Program program, Jvm jvm, Path scratch) {
    List<Double> saved = new ArrayList<>();
    JsonObject report = new JsonObject();
    for (int i = 0; i < rounds; i++) {
      if (i == rounds / 2) {
        report = report(program, jvm, scratch);
      }
      double without = seconds(program, jvm, List.of(), Side.WITHOUT, scratch);
      String agent = "-javaagent:" + Installation.agentJar();
      saved.add(without - seconds(program, jvm, List.of(agent), Side.WITH, scratch));
    }
    return new Outcome(program, jvm, saved, report);
  }

  private JsonObject report(Program program, Jvm jvm, Path scratch) {
    Path recording = scratch.resolve("recorded.jfr");
    Path json = scratch.resolve("report.json");
    String agent = "-javaagent:" + Installation.agentJar() + "=arenas=off,record=" + recording;
    seconds(program, jvm, List.of(agent), "recorded", scratch);
    ProcessBuilder report =
        new ProcessBuilder(
            Installation.java().toString(),
            "-Drockpool.home=" + Installation.home(),
            "-jar",
            Installation.ownClasses().toString(),
            "report",
            recording.toString(),
            "--jdk",
            jvm.home().toString(),
            "-o",
            scratch.resolve("report.html").toString(),
            "--json",
            json.toString());
    ChildProcess.run(report, scratch, "report", LIMIT).requireSuccess("report", "of " + recording);
    try {
      return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    } catch (IOException e) {
      throw new CommandFailure("Cannot read " + json + ": " + e.getMessage(), e);
    }
  }

  private double seconds(
      Program program, Jvm jvm, List<String> options, Object side, Path scratch) {
    List<String> command = new ArrayList<>(List.of(jvm.java().toString()));
    command.addAll(options);
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "-cp", programs.toString(), program.main()));
    command.addAll(program.arguments());
    double before = usage.seconds();
    ChildProcess.run(new ProcessBuilder(command), scratch, "program", LIMIT)
        .requireSuccess(program.label(), side);
    return usage.seconds() - before;
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }
}
