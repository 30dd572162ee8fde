package dev.rockpool.cli.compare;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
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
 * Calls of C functions that measure themselves: a JVM for each call, side and round, by the Java of
 * this process with its default settings.
 *
 * @param arguments of java, for each call
 * @param folder for what is made of them
 */
record Workloads(Map<String, List<String>> arguments, Path folder) {
  static ComparisonTable ofCalls(boolean quick, int rounds) {
    try (ScratchFolder folder = ScratchFolder.create()) {
      return new Workloads(calls(quick), folder.path())
          .compare(
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

  private ComparisonTable compare(int rounds, String remarks, Map<String, Object> settings) {
    List<Comparison> comparisons = new ArrayList<>();
    try (Progress progress = Progress.of(arguments.size() * 2 * rounds)) {
      arguments.forEach(
          (call, command) -> {
            AgentRoute route = route(command);
            comparisons.add(
                Comparison.of(call, rounds, side -> run(progress, route, call, side)).check());
          });
    }
    String all = "Results were identical without and with the agent. ns: of a call.\n" + remarks;
    return new ComparisonTable(null, "call", "ns", comparisons, all, settings);
  }

  private Run run(Progress progress, AgentRoute route, String call, Side side) {
    String name = call + " " + side;
    progress.begin(name);
    Run run = route.measure(call, side, folder);
    progress.done(name + ": " + threeDigits(run.time()) + " ns");
    return run;
  }

  static AgentRoute route(List<String> arguments) {
    List<String> command = new ArrayList<>(arguments);
    command.addFirst(Installation.java().toString());
    return new AgentRoute(command, Installation.agentJar());
  }
}
