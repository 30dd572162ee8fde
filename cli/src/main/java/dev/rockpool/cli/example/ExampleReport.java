package dev.rockpool.cli.example;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.TextTable;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What became of an example: for the terminal, as Markdown, and as JSON. */
record ExampleReport(String name, List<WorkloadComparison> comparisons, double seconds) {
  private static final List<String> TIMES =
      List.of(
          "workload",
          "ns a row without",
          "ns with",
          "saved ns",
          "saved",
          "forecast ns",
          "forecast",
          "garbage without",
          "garbage with");

  private static final List<String> REPORTED =
      List.of(
          "what report said",
          "arenas",
          "a row",
          "would save, for each",
          "in all, of the time recorded");

  String toText() {
    StringBuilder text = new StringBuilder();
    text.append(textTable(TIMES, times())).append('\n');
    text.append(textTable(REPORTED, reported())).append('\n');
    return text.append(explanation()).toString();
  }

  String toMarkdown() {
    StringBuilder text = new StringBuilder();
    text.append(markdownTable(TIMES, times())).append('\n');
    text.append(markdownTable(REPORTED, reported())).append('\n');
    return text.append(explanation()).toString();
  }

  private static String textTable(List<String> header, List<List<String>> rows) {
    TextTable table = new TextTable(header.toArray(String[]::new));
    rows.forEach(row -> table.row(row.toArray(String[]::new)));
    return table.toString();
  }

  private static String markdownTable(List<String> header, List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    text.append(markdownRow(header)).append("|---".repeat(header.size())).append("|\n");
    rows.forEach(row -> text.append(markdownRow(row)));
    return text.toString();
  }

  private static String markdownRow(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private List<List<String>> times() {
    List<List<String>> rows = new ArrayList<>();
    for (WorkloadComparison comparison : comparisons) {
      double nanos = comparison.nanos(Side.WITHOUT);
      double fastest = comparison.fastestNanos(Side.WITHOUT);
      rows.add(
          List.of(
              comparison.workload(),
              both(nanos, fastest),
              both(comparison.nanos(Side.WITH), comparison.fastestNanos(Side.WITH)),
              both(comparison.savedNanos(), comparison.fastestSavedNanos()),
              percent(comparison.savedNanos() / nanos)
                  + " ("
                  + percent(comparison.fastestSavedNanos() / fastest)
                  + ")",
              digits(comparison.forecastNanos()),
              percent(comparison.forecastNanos() / fastest),
              bytes(comparison.garbageBytes(Side.WITHOUT)),
              bytes(comparison.garbageBytes(Side.WITH))));
    }
    return rows;
  }

  private List<List<String>> reported() {
    List<List<String>> rows = new ArrayList<>();
    for (WorkloadComparison comparison : comparisons) {
      rows.add(
          List.of(
              comparison.workload(),
              String.format(Locale.ROOT, "%,d", comparison.reported().arenas()),
              digits(comparison.arenasPerRow()),
              digits(comparison.reported().nanosPerArena()) + " ns",
              percent(comparison.reported().shareOfTime())));
    }
    return rows;
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

  private String explanation() {
    return "Results were identical without and with the agent. Time: median of "
        + comparisons.getFirst().with().size()
        + " JVMs, each the median of its batches in "
        + seconds
        + " s; in brackets the fastest batch of all.\n"
        + "Forecast: what the report says that the pool would save, from one more run that was"
        + " recorded without it, divided by the rows of that run.\n\n"
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

  JsonObject toJson() {
    JsonObject json = JsonFile.measuredHere();
    json.addProperty("example", name);
    json.addProperty("seconds", seconds);
    JsonArray workloads = new JsonArray();
    for (WorkloadComparison comparison : comparisons) {
      JsonObject workload = new JsonObject();
      workload.addProperty("workload", comparison.workload());
      workload.addProperty("result", comparison.with().getFirst().result());
      workload.addProperty("savedNanosPerRow", comparison.savedNanos());
      workload.addProperty("fastestSavedNanosPerRow", comparison.fastestSavedNanos());
      workload.addProperty("forecastNanosPerRow", comparison.forecastNanos());
      workload.addProperty("arenasPerRow", comparison.arenasPerRow());
      workload.add("without", side(comparison, Side.WITHOUT, comparison.without()));
      workload.add("with", side(comparison, Side.WITH, comparison.with()));
      workloads.add(workload);
    }
    json.add("workloads", workloads);
    return json;
  }

  private static JsonObject side(
      WorkloadComparison comparison, Side side, List<RowFigures> rounds) {
    JsonObject json = new JsonObject();
    json.addProperty("nanosPerRow", comparison.nanos(side));
    json.addProperty("fastestNanosPerRow", comparison.fastestNanos(side));
    json.addProperty("garbageBytesPerRow", comparison.garbageBytes(side));
    JsonArray byRound = new JsonArray();
    rounds.forEach(round -> byRound.add(round.nanos()));
    json.add("nanosPerRowByRound", byRound);
    return json;
  }
}
