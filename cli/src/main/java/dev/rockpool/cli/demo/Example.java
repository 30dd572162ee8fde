package dev.rockpool.cli.demo;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.demo.Comparison.Run;
import dev.rockpool.cli.demo.Comparison.Unit;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A program of {@code examples/} that is built: a JVM for each workload, side and round, and one
 * more whose recording gives the forecast.
 *
 * @param name of its folder
 * @param jar which can be run
 * @param folder for what is made of it
 * @param seconds how long to measure
 */
record Example(String name, Path jar, Path folder, double seconds) {
  private static final String RECORDED = "recorded without the pool";

  static Example of(String name, double seconds) {
    Path home = Installation.home().resolve("examples").resolve(name);
    if (!Files.isRegularFile(home.resolve("pom.xml"))) {
      throw new CommandFailure(
          "An example must be a folder of " + home.getParent() + ": there is no '" + name + "'");
    }
    Path target = home.resolve("target");
    Path jar = target.resolve("rockpool-example-" + name + ".jar");
    Path folder = target.resolve("comparison");
    Installation.existing(jar, "example " + name);
    try {
      return new Example(name, jar, Files.createDirectories(folder), seconds);
    } catch (IOException e) {
      throw new CommandFailure("Cannot make the folder " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Runs {@code chosen} workloads, or all of them if none is. */
  Report compare(List<String> chosen, int rounds) {
    List<String> all =
        AgentRoute.run(route("--list").without(), name, Side.WITHOUT, folder).outLines();
    if (!all.containsAll(chosen)) {
      throw new CommandFailure(
          "Workloads of " + name + " are " + all + ": not all of these are, " + chosen);
    }
    List<String> workloads = chosen.isEmpty() ? all : chosen;
    List<Comparison> comparisons = new ArrayList<>();
    List<Forecast> forecasts = new ArrayList<>();
    try (Progress progress = Progress.of(workloads.size() * (2 * rounds + 1))) {
      for (String workload : workloads) {
        forecasts.add(forecast(workload, progress));
        comparisons.add(compare(workload, rounds, progress));
      }
    }
    Report report = report(comparisons, forecasts);
    new OutputFile(folder.resolve("comparison.md"), "Markdown").write(report.toMarkdown());
    return report;
  }

  private Comparison compare(String workload, int rounds, Progress progress) {
    AgentRoute route = measuring(workload);
    return Comparison.of(
            workload,
            Unit.ROW,
            rounds,
            side -> {
              progress.begin(workload + " " + side);
              Run run = route.measure(workload, side, folder);
              progress.done(workload + " " + side + ": " + threeDigits(run.time()) + " ns a row");
              return run;
            })
        .check();
  }

  /** Runs a workload with the JDK's own arenas, and lets {@code report} read its recording. */
  private Forecast forecast(String workload, Progress progress) {
    progress.begin(workload + " " + RECORDED);
    Path recording = folder.resolve(workload + ".jfr");
    Path json = folder.resolve(workload + ".json");
    ProcessBuilder recorded = measuring(workload).with("arenas=off,record=" + recording);
    Run run = Run.parse(AgentRoute.run(recorded, workload, RECORDED, folder).outLines());
    progress.done(workload + " " + RECORDED + ": " + threeDigits(run.time()) + " ns a row");
    ProcessBuilder report =
        new ProcessBuilder(
            Installation.java().toString(),
            "-Drockpool.home=" + Installation.home(),
            "-jar",
            Installation.ownClasses().toString(),
            "report",
            recording.toString(),
            "-o",
            folder.resolve(workload + ".html").toString(),
            "--json",
            json.toString());
    AgentRoute.run(report, "report", "of " + recording, folder);
    try {
      return Forecast.of(
          run.rows(), JsonParser.parseString(Files.readString(json)).getAsJsonObject());
    } catch (IOException e) {
      throw new CommandFailure("Cannot read " + json + ": " + e.getMessage(), e);
    }
  }

  private AgentRoute measuring(String workload) {
    return route("--csv", "--seconds", String.valueOf(seconds), workload);
  }

  /** The Java of this process with its default settings. */
  private AgentRoute route(String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Installation.java().toString(), "-jar", jar.toString()));
    command.addAll(List.of(arguments));
    return new AgentRoute(command, Installation.agentJar());
  }

  /**
   * The gain that {@code report} foretells from a recording.
   *
   * @param rows that were gone through while it was recorded
   * @param arenas that were closed meanwhile
   * @param low least ns that the pool would save, for all of them together
   * @param high most
   * @param verdict in a sentence
   */
  record Forecast(long rows, long arenas, double low, double high, String verdict) {
    static Forecast of(long rows, JsonObject report) {
      JsonObject nanos = report.getAsJsonObject("forecast").getAsJsonObject("nanos");
      return new Forecast(
          rows,
          report.getAsJsonObject("all").get("arenas").getAsLong(),
          nanos.get("low").getAsDouble(),
          nanos.get("high").getAsDouble(),
          report.getAsJsonObject("verdict").get("worth").getAsString());
    }

    double nanosPerRow() {
      return (low + high) / 2 / rows;
    }

    double arenasPerRow() {
      return (double) arenas / rows;
    }

    /** The forecast in times of the outcome. */
    String ratio(double savedNanosPerRow) {
      return digits(nanosPerRow() / savedNanosPerRow);
    }
  }

  /** A comparison and a forecast for each workload. */
  Report report(List<Comparison> comparisons, List<Forecast> forecasts) {
    TextTable times =
        new TextTable(
            "workload",
            "ns a row without",
            "ns with",
            "saved ns",
            "saved",
            "forecast ns",
            "forecast to saved",
            "garbage without",
            "garbage with");
    StringBuilder verdicts = new StringBuilder();
    JsonArray workloads = new JsonArray();
    for (int i = 0; i < comparisons.size(); i++) {
      Comparison comparison = comparisons.get(i);
      Forecast forecast = forecasts.get(i);
      double time = comparison.time(Side.WITHOUT);
      double fastest = comparison.fastest(Side.WITHOUT);
      times.row(
          comparison.marked(comparison.name()),
          both(time, fastest),
          both(comparison.time(Side.WITH), comparison.fastest(Side.WITH)),
          both(comparison.saved(), comparison.fastestSaved()),
          percent(comparison.saved() / time)
              + " ("
              + percent(comparison.fastestSaved() / fastest)
              + ")",
          digits(forecast.low() / forecast.rows())
              + " to "
              + digits(forecast.high() / forecast.rows()),
          forecast.ratio(comparison.saved()),
          bytes(comparison.garbageBytes(Side.WITHOUT)),
          bytes(comparison.garbageBytes(Side.WITH)));
      verdicts
          .append(comparison.name())
          .append(", ")
          .append(digits(forecast.arenasPerRow()))
          .append(" arenas a row. ")
          .append(forecast.verdict())
          .append('\n');
      JsonObject workload = comparison.toJson();
      workload.addProperty("workload", comparison.name());
      workload.addProperty("savedNanosPerRow", comparison.saved());
      workload.addProperty("fastestSavedNanosPerRow", comparison.fastestSaved());
      workload.addProperty("forecastNanosPerRow", forecast.nanosPerRow());
      workload.addProperty("arenasPerRow", forecast.arenasPerRow());
      workloads.add(workload);
    }
    JsonObject json = JsonFile.measuredHere();
    json.addProperty("example", name);
    json.addProperty("seconds", seconds);
    json.add("workloads", workloads);
    return new Report(List.of(times), "\n" + verdicts + explanation(comparisons), json);
  }

  private static String both(double median, double fastest) {
    return digits(median) + " (" + digits(fastest) + ")";
  }

  private static String digits(double value) {
    return value < 0 ? "-" + threeDigits(-value) : threeDigits(value);
  }

  private static String percent(double share) {
    double percent = 100 * share;
    boolean traces = percent > 0 && percent < 0.05;
    return String.format(Locale.ROOT, traces ? "%.4f %%" : "%.1f %%", percent);
  }

  private static String bytes(double value) {
    return Math.round(value) + " B";
  }

  private String explanation(List<Comparison> comparisons) {
    return "\n"
        + Comparison.footnote(comparisons)
        + "Results were identical without and with the agent. Time: median of "
        + comparisons.getFirst().with().size()
        + " JVMs, each the median of its batches in "
        + seconds
        + " s; in brackets the fastest batch of all.\n"
        + "Forecast: the report's range for what the pool saves, from one more run that was"
        + " recorded without it, divided by the rows of that run; its middle to the saved time.\n\n"
        + LocalDate.now(ZoneId.systemDefault())
        + ": ./rockpool example "
        + name
        + "\n"
        + Host.jdk()
        + "\n"
        + Host.os()
        + ", "
        + Host.cpu()
        + "\n";
  }
}
