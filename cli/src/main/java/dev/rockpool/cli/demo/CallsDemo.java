package dev.rockpool.cli.demo;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.demo.Comparison.Unit;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.TextTable;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.Program;
import java.util.ArrayList;
import java.util.List;

/** Our own program without and with the agent: a JVM for each call, side and round. */
final class CallsDemo {
  private static final int ROUNDS = 3;

  private CallsDemo() {}

  static Report run(boolean quick) {
    if (System.getProperty("os.name").startsWith("Windows")) {
      throw new CommandFailure(
          "The demo calls POSIX functions and needs Linux or macOS: this is "
              + System.getProperty("os.name")
              + "; try a program of your own, './rockpool demo -- java ...'");
    }
    int rounds = quick ? 1 : ROUNDS;
    List<Comparison> comparisons = new ArrayList<>();
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(Call.values().length * rounds * Side.values().length)) {
      for (Call call : Call.values()) {
        AgentRoute route = route(call, quick);
        Comparison comparison =
            Comparison.of(
                    call.function(),
                    Unit.CALL,
                    rounds,
                    side -> {
                      progress.begin(call.function() + " " + side);
                      return route.measure(call.function(), side, folder.path());
                    })
                .check();
        progress.done(
            call.function()
                + ": "
                + threeDigits(comparison.time(Side.WITHOUT))
                + " ns without, "
                + threeDigits(comparison.time(Side.WITH))
                + " ns with the agent");
        comparisons.add(comparison);
      }
    }
    return report(List.of(Call.values()), comparisons, quick);
  }

  /** The Java of this process with its default settings. */
  static AgentRoute route(Call call, boolean quick) {
    return new AgentRoute(
        List.of(
            Installation.java().toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            Installation.ownClasses().toString(),
            Program.class.getName(),
            call.name(),
            quick ? "QUICK" : "FULL"),
        Installation.agentJar());
  }

  /** A comparison for each of {@code calls}. */
  static Report report(List<Call> calls, List<Comparison> comparisons, boolean quick) {
    TextTable table =
        new TextTable("call", "ns without", "ns with", "ratio", "garbage without", "garbage with");
    JsonArray array = new JsonArray();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      Comparison comparison = comparisons.get(i);
      table.row(
          comparison.marked(call.function() + " " + call.detail()),
          threeDigits(comparison.time(Side.WITHOUT)),
          threeDigits(comparison.time(Side.WITH)),
          threeDigits(comparison.ratio()) + "x",
          Math.round(comparison.garbageBytes(Side.WITHOUT)) + " B",
          Math.round(comparison.garbageBytes(Side.WITH)) + " B");
      JsonObject object = comparison.toJson();
      object.addProperty("call", call.function());
      object.addProperty("detail", call.detail());
      array.add(object);
    }
    String explanation =
        Comparison.footnote(comparisons)
            + "Results were identical without and with the agent. ns: per call, median of "
            + comparisons.getFirst().with().size()
            + " JVMs.\n"
            + (quick ? "Quick run: the figures mean little.\n" : "")
            + "\n"
            + Host.jdk()
            + "\n"
            + Host.os()
            + ", "
            + Host.cpu()
            + "\n\n"
            + "The agent saves what an arena costs, a malloc and a free and some garbage, in each"
            + " call.\n"
            + "So short calls gain most; where a call takes a microsecond anyway, the gain is"
            + " small.\n";
    JsonObject json = JsonFile.measuredHere();
    json.addProperty("quick", quick);
    json.add("calls", array);
    return new Report(List.of(table), explanation, json);
  }
}
