package dev.rockpool.cli.compare;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.CallTimer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Programs that measure themselves, ours and those of {@code examples/}: a JVM for each workload,
 * side and round, by the Java of this process with its default settings.
 *
 * @param arguments of java, for each workload
 * @param folder for what is made of them
 */
record Workloads(Map<String, List<String>> arguments, Path folder) {
  /** Calls of C functions. */
  static ComparisonTable ofCalls(boolean quick, int rounds) {
    try (ScratchFolder folder = ScratchFolder.create()) {
      return new Workloads(calls(quick), folder.path())
          .compare(
              "call",
              rounds,
              (quick ? "Quick run: the figures, garbage too, mean little.\n" : "")
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
              + "; try a program of your own, '"
              + Installation.command("demo", "--", "java", "...")
              + "'");
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
    Path jar = home.resolve("target/rockpool-example-" + name + ".jar");
    Installation.existing(jar, "example " + name);
    Path folder = OutputFile.folder(home.resolve("target/comparison"));
    List<String> listing = List.of("-jar", jar.toString(), "--list");
    List<String> all =
        AgentRoute.run(route(listing).without(), name, Side.WITHOUT, folder).outLines();
    Misuse.unless(
        all.containsAll(chosen),
        "Workloads of " + name + " are " + all + ": not all of these are, " + chosen);
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
                "Each JVM measured for " + seconds + " s.\n",
                Map.of("example", name, "seconds", seconds));
    new OutputFile(folder.resolve("comparison.md")).write(table.markdown());
    return table;
  }

  private ComparisonTable compare(
      String subject, int rounds, String remarks, Map<String, Object> settings) {
    List<Comparison> comparisons = new ArrayList<>();
    try (Progress progress = Progress.of(arguments.size() * 2 * rounds)) {
      arguments.forEach(
          (workload, command) -> {
            AgentRoute route = route(command);
            comparisons.add(
                Comparison.of(workload, rounds, side -> run(progress, route, workload, side))
                    .check());
          });
    }
    String all =
        "Results were identical without and with the agent. ns: of a call or row.\n" + remarks;
    return new ComparisonTable(null, subject, "ns", comparisons, all, settings);
  }

  private Run run(Progress progress, AgentRoute route, String workload, Side side) {
    String name = workload + " " + side;
    progress.begin(name);
    Run run = route.measure(workload, side, folder);
    progress.done(name + ": " + threeDigits(run.time()) + " ns");
    return run;
  }

  static AgentRoute route(List<String> arguments) {
    List<String> command = new ArrayList<>(arguments);
    command.addFirst(Installation.java().toString());
    return new AgentRoute(command, Installation.agentJar());
  }
}
