package dev.rockpool.cli.bench;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import com.google.gson.JsonObject;
import dev.rockpool.cli.bench.Group.Row;
import dev.rockpool.cli.bench.Result.Ratio;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that there is to show, as text, Markdown, JSON, a page, and pictures for documents.
 *
 * @param origin terms that say how and where it was measured; without it, figures mean little
 * @param results the figures
 * @param failures a line for each figure that is missing
 */
record BenchReport(Map<String, String> origin, List<Result> results, List<String> failures) {
  /** A caution for readers. */
  static final String CAUTION =
      "These numbers are data, not conclusions: they hold for this machine, these JVMs and these"
          + " loops. Repeat them before you rely on them.";

  private static final String LEGEND =
      "ns/op is the mean time of one operation ± half of its 99.9 % confidence interval. A ratio is"
          + " the time of jdk divided by that of the contestant, in the same run on the same JVM:"
          + " more than 1x is faster than the JDK's arena; ~ marks what may be chance, because the"
          + " intervals overlap. B/op is garbage, in bytes.";

  /** Goes up when a reader of the old format would be misled. */
  private static final int FORMAT = 2;

  /** Names of contestants, conditions and workloads, and their meaning. */
  private static final Map<String, String> WORDS =
      Page.packaged(BenchReport.class, "words.txt")
          .lines()
          .filter(line -> !line.isEmpty())
          .map(line -> line.split(": ", 2))
          .collect(LinkedHashMap::new, (map, word) -> map.put(word[0], word[1]), Map::putAll);

  /** The contestants by their color in the palette of pages; others have the last. */
  private static final List<String> COLORS =
      List.of("rockpool", "agent", "ownPool", "jdk", "threadLocalPool", "lwjglStack", "opened");

  void write(Path folder) {
    write(folder, "results.json", OutputFile.json(json()));
    write(folder, "index.html", page().html());
    write(folder, "table.txt", text());
    write(folder, "table.md", markdown());
    groups().stream()
        .filter(Group::sweep)
        .forEach(
            group -> {
              String suffix = group.conditions().isEmpty() ? "" : "-" + group.conditions();
              write(folder, "sweep" + suffix + ".svg", picture(group, Host.note()));
            });
  }

  private static void write(Path folder, String name, String content) {
    new OutputFile(folder.resolve(name)).write(content);
  }

  private List<Group> groups() {
    return Group.of(results);
  }

  String text() {
    return text("", "", "", Table::text);
  }

  String markdown() {
    return text("# ", "- ", "\n", table -> "## " + table.caption() + "\n\n" + table.markdown());
  }

  /**
   * The report as text or Markdown.
   *
   * @param title before the first line
   * @param item before each term
   * @param gap between lines that would run together
   */
  private String text(String title, String item, String gap, Function<Table, String> tables) {
    StringBuilder text = new StringBuilder(title + "Rockpool benchmarks\n\n");
    origin.forEach((term, value) -> text.append(item + term + ": " + value + "\n"));
    text.append("\n" + CAUTION + "\n" + gap + LEGEND + "\n");
    for (Group group : groups()) {
      text.append("\n" + tables.apply(group.table()));
      group.extremes().forEach(line -> text.append(gap + line + "\n"));
    }
    failures.forEach(line -> text.append("\nFailed: " + line + "\n"));
    return text.toString();
  }

  /** JMH's own results, and with each its place in the tables and its ratio, if it has one. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("format", FORMAT);
    json.put("origin", origin);
    json.put(
        "results",
        groups().stream()
            .flatMap(group -> group.rows().stream().map(row -> json(group, row)))
            .toList());
    json.put("failures", failures);
    return json;
  }

  private static Map<String, @Nullable Object> json(Group group, Row row) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("part", group.sweep() ? "sweep" : "benchmarks");
    json.put("jdk", row.result().jvm().label());
    json.put("workload", group.workload());
    json.put("conditions", group.conditions());
    json.put("kind", row.result().mode().toString());
    json.put("contestant", row.contestant());
    json.put("ratio", json(row.ratio()));
    json.putAll(row.result().jmh().asMap());
    return json;
  }

  /** A bound that is not known, or not finite, is left out. */
  private static @Nullable Map<String, Object> json(@Nullable Ratio ratio) {
    if (ratio == null) {
      return null;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("value", ratio.value());
    json.put("low", ratio.low());
    json.put("high", ratio.high());
    json.values().removeIf(bound -> !Double.isFinite((double) bound));
    json.put("text", ratio.text());
    return json;
  }

  /** A chart and a table for each workload, in which all JVMs share a scale. */
  Page page() {
    Page page = new Page("Rockpool benchmarks");
    page.paragraph(CAUTION).terms(origin).paragraph(LEGEND);
    Map<String, String> contestants = new LinkedHashMap<>(WORDS);
    contestants.keySet().retainAll(results.stream().map(Result::contestant).toList());
    page.terms(contestants);
    if (!failures.isEmpty()) {
      page.section("Failed");
      failures.forEach(page::paragraph);
    }
    groups().stream().sorted(comparing(Group::sweep).reversed()).forEach(group -> add(page, group));
    return page;
  }

  private static void add(Page page, Group group) {
    page.section(group.title());
    page.paragraph(
        Stream.of(group.workload(), group.conditions())
            .flatMap(name -> Stream.ofNullable(WORDS.get(name)))
            .collect(joining(" ")));
    page.chart(group.title(), chart(group, "ns/op", row -> row.result().time().value()));
    if (group.sweep()) {
      page.chart(
          group.title() + ": how many times as fast as jdk",
          chart(group, "x", row -> row.ratio() == null ? null : row.ratio().value()));
    }
    page.foldedTable(group.table());
    group.extremes().forEach(page::paragraph);
  }

  private static JsonObject chart(Group group, String unit, Function<Row, @Nullable Double> value) {
    List<String> labels = group.rows().stream().map(BenchReport::label).distinct().toList();
    List<JsonObject> all = new ArrayList<>();
    group.rows().stream()
        .collect(
            groupingBy(
                row -> new Series(row.contestant(), row.result().jvm()),
                LinkedHashMap::new,
                toList()))
        .forEach(
            (series, rows) -> {
              Map<String, @Nullable Double> values = new LinkedHashMap<>();
              labels.forEach(label -> values.put(label, null));
              rows.forEach(row -> values.put(label(row), rounded(value.apply(row))));
              int color = COLORS.indexOf(series.contestant);
              if (values.values().stream().anyMatch(each -> each != null)) {
                all.add(
                    Charts.series(
                        group.sweep() ? "line" : "bar",
                        series.contestant
                            + (group.jvms().size() == 1 ? "" : ", " + series.jvm.label()),
                        new ArrayList<>(values.values()),
                        (color < 0 ? COLORS.size() : color) + 1,
                        group.jvms().indexOf(series.jvm)));
              }
            });
    return Charts.withLegend(
        Charts.of(labels, String.join(", ", group.parameterNames()), unit, all));
  }

  /** A contestant on one JVM. */
  private record Series(String contestant, Jvm jvm) {}

  private static String label(Row row) {
    return String.join(", ", row.result().parameters().values());
  }

  /** Three digits after the point: more would be noise in a tooltip. */
  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null || !Double.isFinite(value) ? null : Math.rint(value * 1000) / 1000;
  }

  /** A sweep for a document: time by size. */
  private static String picture(Group sweep, String note) {
    JsonObject chart = chart(sweep, "ns/op", row -> row.result().time().value());
    chart.getAsJsonObject("xAxis").addProperty("name", "size (bytes)");
    return Charts.svg(
        "One allocation in one arena, on a %s thread"
            .formatted(sweep.conditions().isEmpty() ? "platform" : sweep.conditions()),
        note + sweep.jvms().stream().map(Jvm::label).collect(joining(" and ", ", ", "")),
        chart);
  }
}
