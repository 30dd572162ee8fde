package dev.rockpool.cli.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.rockpool.cli.bench.Comparison.Row;
import dev.rockpool.cli.bench.Score.Ratio;
import dev.rockpool.cli.page.Table;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that there is to show, as text, Markdown and JSON; {@link ReportPage} makes a page of it.
 *
 * @param origin terms that say how and where it was measured; without it, figures mean little
 * @param results the figures
 * @param failures a line for each figure that is missing
 */
record Report(Map<String, String> origin, List<Result> results, List<String> failures) {
  /** A note of what to bear in mind. */
  static final String CAUTION =
      "These numbers are data, not conclusions: they hold for this machine, these JVMs and these"
          + " loops. Repeat them before you rely on them.";

  /** The meaning of the columns. */
  static final String LEGEND =
      "ns/op is the mean time of one operation ± half of its 99.9 % confidence interval. A ratio is"
          + " the time of jdk divided by that of the contestant, in the same run on the same JVM:"
          + " more than 1x is faster than the JDK's arena; ~ marks what may be chance, because the"
          + " intervals overlap. B/op is garbage, in bytes.";

  /** Goes up when a reader of the old format would be misled. */
  private static final int FORMAT = 2;

  /** The results that may be compared, together. */
  List<Comparison> comparisons() {
    return Comparison.of(results);
  }

  /** The report for a terminal. */
  String text() {
    return text("", "", "", Table::text);
  }

  /** The report for a document. */
  String markdown() {
    return text("# ", "- ", "\n", table -> "## " + table.caption() + "\n\n" + table.markdown());
  }

  /**
   * The report as text.
   *
   * @param title before the first line
   * @param item before each term
   * @param gap between lines that would run together
   */
  private String text(String title, String item, String gap, Function<Table, String> tables) {
    StringBuilder text = new StringBuilder(title + "Rockpool benchmarks\n\n");
    origin.forEach((term, value) -> text.append(item + term + ": " + value + "\n"));
    text.append("\n" + CAUTION + "\n" + gap + LEGEND + "\n");
    for (Comparison comparison : comparisons()) {
      text.append("\n" + tables.apply(comparison.table()));
      comparison.extremes().forEach(line -> text.append(gap + line + "\n"));
    }
    failures.forEach(line -> text.append("\nFailed: " + line + "\n"));
    return text.toString();
  }

  /** JMH's own results, and with each its place in the tables and its ratio, if it has one. */
  JsonObject json() {
    Gson gson = new Gson();
    JsonObject json = new JsonObject();
    json.addProperty("format", FORMAT);
    json.add("origin", gson.toJsonTree(origin));
    JsonArray all = new JsonArray();
    for (Comparison comparison : comparisons()) {
      for (Row row : comparison.rows()) {
        JsonObject result = new JsonObject();
        result.addProperty("part", comparison.key().sweep() ? "sweep" : "benchmarks");
        result.addProperty("jdk", comparison.key().jvm().label());
        result.addProperty("workload", comparison.key().workload());
        result.addProperty("conditions", comparison.key().conditions());
        result.addProperty("kind", row.result().mode().toString());
        result.addProperty("contestant", row.contestant());
        result.add("ratio", json(row.ratio()));
        result.asMap().putAll(row.result().jmh().asMap());
        all.add(result);
      }
    }
    json.add("results", all);
    json.add("failures", gson.toJsonTree(failures));
    return json;
  }

  /** A bound that is not known, or not finite, is left out. */
  private static JsonElement json(@Nullable Ratio ratio) {
    if (ratio == null) {
      return JsonNull.INSTANCE;
    }
    JsonObject json =
        new GsonBuilder()
            .serializeSpecialFloatingPointValues()
            .create()
            .toJsonTree(ratio)
            .getAsJsonObject();
    json.asMap().values().removeIf(bound -> !Double.isFinite(bound.getAsDouble()));
    json.addProperty("text", ratio.text());
    return json;
  }
}
