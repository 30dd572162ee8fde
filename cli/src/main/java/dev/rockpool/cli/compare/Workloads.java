package dev.rockpool.cli.compare;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonObject;
import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.CallTimer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Programs that measure themselves, ours and those of {@code examples/}: a JVM for each workload,
 * side and round, by the Java of this process with its default settings.
 *
 * @param arguments of java, for each workload
 * @param folder for what is made of them
 */
record Workloads(Map<String, List<String>> arguments, Path folder) {
  private static final String RECORDED = "recorded without the pool";
  private static final String FORECAST =
      "Forecast: the report's range for what the pool saves, from one more run that was recorded"
          + " without it, divided by the rows of that run; its middle to the saved time.\n";

  /** Calls of C functions. */
  static ComparisonTable ofCalls(boolean quick, boolean forecast, int rounds) {
    try (ScratchFolder folder = ScratchFolder.create()) {
      return new Workloads(calls(quick), folder.path())
          .compare(
              "call",
              rounds,
              forecast,
              (forecast ? FORECAST : "")
                  + (quick ? "Quick run: the figures, garbage too, mean little.\n" : "")
                  + "\nThe agent saves what an arena costs, a malloc and a free and some garbage,"
                  + " in each call.\nSo short calls gain most; where a call takes a microsecond"
                  + " anyway, the gain is small.\n",
              Map.of("quick", quick));
    }
  }

  static Map<String, List<String>> calls(boolean quick) {
    if (System.getProperty("os.name").startsWith("Windows")) {
      throw new CommandFailure(
          "The demo calls POSIX functions and needs Linux or macOS: this is "
              + System.getProperty("os.name")
              + "; try a program of your own, './rockpool demo -- java ...'");
    }
    Map<String, List<String>> calls = new LinkedHashMap<>();
    for (Call call : Call.values()) {
      calls.put(
          call.function() + " " + call.detail,
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              Installation.ownClasses().toString(),
              CallTimer.class.getName(),
              call.name(),
              quick ? "QUICK" : "FULL"));
    }
    return calls;
  }

  /** {@code chosen} workloads of an example, or all of them if none is. */
  static ComparisonTable ofExample(String name, List<String> chosen, double seconds, int rounds) {
    Path home = Installation.home().resolve("examples").resolve(name);
    if (!Files.isRegularFile(home.resolve("pom.xml"))) {
      throw new CommandFailure(
          "An example must be a folder of " + home.getParent() + ": there is no '" + name + "'");
    }
    Path jar = home.resolve("target/rockpool-example-" + name + ".jar");
    Installation.existing(jar, "example " + name);
    Path folder = OutputFile.folder(home.resolve("target/comparison"));
    List<String> listing = List.of("-jar", jar.toString(), "--list");
    List<String> all =
        AgentRoute.run(route(listing).without(), name, Side.WITHOUT, folder).outLines();
    if (!all.containsAll(chosen)) {
      throw new CommandFailure(
          "Workloads of " + name + " are " + all + ": not all of these are, " + chosen);
    }
    Map<String, List<String>> arguments = new LinkedHashMap<>();
    for (String workload : chosen.isEmpty() ? all : chosen) {
      arguments.put(
          workload, List.of("-jar", jar.toString(), "--csv", "--seconds", "" + seconds, workload));
    }
    ComparisonTable table =
        new Workloads(arguments, folder)
            .compare(
                "workload",
                rounds,
                true,
                "Each JVM measured for " + seconds + " s.\n" + FORECAST,
                Map.of("example", name, "seconds", seconds));
    new OutputFile(folder.resolve("comparison.md")).write(table.markdown());
    return table;
  }

  ComparisonTable compare(
      String subject, int rounds, boolean forecast, String remarks, Map<String, Object> settings) {
    List<Comparison> comparisons = new ArrayList<>();
    List<Forecast> forecasts = new ArrayList<>();
    try (Progress progress = Progress.of(arguments.size() * (2 * rounds + (forecast ? 1 : 0)))) {
      arguments.forEach(
          (workload, command) -> {
            AgentRoute route = route(command);
            if (forecast) {
              Path recording = folder.resolve(recordingName(workload));
              ProcessBuilder builder = route.with(Forecast.recordOptions(recording));
              Run run =
                  step(
                      progress,
                      workload + " " + RECORDED,
                      () ->
                          Run.parse(
                              AgentRoute.run(builder, workload, RECORDED, folder).outLines()));
              JsonObject report = Forecast.reportOn(recording);
              forecasts.add(Forecast.of(run.rows(), report, "nanos", 1));
            }
            comparisons.add(
                Comparison.of(
                        workload,
                        rounds,
                        side ->
                            step(
                                progress,
                                workload + " " + side,
                                () -> route.measure(workload, side, folder)))
                    .check());
          });
    }
    String all =
        "Results were identical without and with the agent. ns: of a call or row.\n" + remarks;
    return new ComparisonTable(subject, "ns", comparisons, forecasts, all, settings);
  }

  private static Run step(Progress progress, String name, Supplier<Run> program) {
    progress.begin(name);
    Run run = program.get();
    progress.done(name + ": " + threeDigits(run.time()) + " ns");
    return run;
  }

  /** Returns a name of a file without commas, at which the agent's options end. */
  static String recordingName(String workload) {
    return workload.replaceAll("[^\\w.]+", "-") + ".jfr";
  }

  static AgentRoute route(List<String> arguments) {
    List<String> command = new ArrayList<>(arguments);
    command.addFirst(Installation.java().toString());
    return new AgentRoute(command, Installation.agentJar());
  }
}
