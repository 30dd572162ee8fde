package dev.rockpool.cli.demo;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.TextTable;
import java.util.Arrays;
import java.util.Locale;

/** What the runs of somebody's command came to: for people, and as JSON. */
record CommandReport(AgentRoute route, AgentNotes notes, CommandComparison comparison) {
  static String format(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }

  String toText() {
    TextTable table = new TextTable("whole process", "without", "with", "ratio");
    addRow(
        table,
        "median of " + comparison.seconds(Side.WITH).length,
        comparison.median(Side.WITHOUT),
        comparison.median(Side.WITH));
    addRow(table, "fastest", comparison.fastest(Side.WITHOUT), comparison.fastest(Side.WITH));
    table.row("exit code", "0", "0", "");
    return table
        + output()
        + "\n"
        + notes
        + "\n\n"
        + Host.os()
        + ", "
        + Host.cpu()
        + "\n\n"
        + "Times are of whole processes: the agent makes the start of a JVM longer, the calls"
        + " shorter.\n"
        + "A difference means something if it is larger than those between runs of one side.\n";
  }

  private String output() {
    if (comparison.isIdentical()) {
      return "Standard output was identical in all runs.";
    }
    return comparison.isSteadyWithout()
        ? "Standard output DIFFERED with the agent."
        : "Standard output differs from run to run, without the agent too: not comparable.";
  }

  private static void addRow(TextTable table, String name, double without, double with) {
    table.row(name, format(without), format(with), threeDigits(without / with) + "x");
  }

  JsonObject toJson() {
    JsonObject json = JsonFile.measuredHere();
    JsonArray command = new JsonArray();
    route.command().forEach(command::add);
    json.add("command", command);
    json.addProperty("agentThrough", route.isArgument() ? "argument" : AgentRoute.VARIABLE);
    json.addProperty("agentPresent", notes.present());
    json.addProperty("callSitesRewritten", notes.callSites());
    json.addProperty("identical", comparison.isIdentical());
    json.addProperty("ratio", comparison.median(Side.WITHOUT) / comparison.median(Side.WITH));
    json.add("without", side(Side.WITHOUT));
    json.add("with", side(Side.WITH));
    return json;
  }

  private JsonObject side(Side side) {
    JsonObject json = new JsonObject();
    json.addProperty("medianSeconds", comparison.median(side));
    json.addProperty("fastestSeconds", comparison.fastest(side));
    json.addProperty("exitCode", 0);
    JsonArray runs = new JsonArray();
    Arrays.stream(comparison.seconds(side)).forEach(runs::add);
    json.add("seconds", runs);
    return json;
  }
}
