package dev.rockpool.cli.demo;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.TextTable;
import dev.rockpool.demo.Measurement;
import java.util.List;

/** What the demo found out: for people, and as JSON. */
record CallsReport(List<CallComparison> comparisons, boolean quick) {
  String toText() {
    TextTable table =
        new TextTable("call", "ns without", "ns with", "ratio", "garbage without", "garbage with");
    for (CallComparison comparison : comparisons) {
      table.row(
          comparison.call().function() + " " + comparison.call().detail(),
          threeDigits(comparison.nanosWithout()),
          threeDigits(comparison.nanosWith()),
          threeDigits(comparison.ratio()) + "x",
          Math.round(comparison.bytesWithout()) + " B",
          Math.round(comparison.bytesWith()) + " B");
    }
    return table
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
        + "So short calls gain most; where a call takes a microsecond anyway, the gain is small.\n";
  }

  JsonObject toJson() {
    JsonArray calls = new JsonArray();
    for (CallComparison comparison : comparisons) {
      JsonObject call = new JsonObject();
      call.addProperty("call", comparison.call().function());
      call.addProperty("detail", comparison.call().detail());
      call.addProperty("result", comparison.result());
      call.addProperty("identical", true);
      call.addProperty("ratio", comparison.ratio());
      call.add(
          "without",
          side(comparison.nanosWithout(), comparison.bytesWithout(), comparison.without()));
      call.add("with", side(comparison.nanosWith(), comparison.bytesWith(), comparison.with()));
      calls.add(call);
    }
    JsonObject json = JsonFile.measuredHere();
    json.addProperty("quick", quick);
    json.add("calls", calls);
    return json;
  }

  private static JsonObject side(double nanos, double bytes, List<Measurement> rounds) {
    JsonObject side = new JsonObject();
    side.addProperty("nanosPerCall", nanos);
    side.addProperty("garbageBytesPerCall", bytes);
    side.addProperty("arenaClass", rounds.getFirst().arenaClass());
    JsonArray nanosByRound = new JsonArray();
    rounds.forEach(round -> nanosByRound.add(round.nanosPerCall()));
    side.add("nanosPerCallByRound", nanosByRound);
    return side;
  }
}
