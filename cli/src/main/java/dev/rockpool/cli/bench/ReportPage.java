package dev.rockpool.cli.bench;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import com.google.gson.JsonObject;
import dev.rockpool.cli.bench.Comparison.Row;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.support.Packaged;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report as a page: a chart for each workload, in which all JVMs share a scale. */
final class ReportPage {
  /** Names of contestants, conditions and workloads, and their meaning. */
  private static final Map<String, String> WORDS =
      Packaged.text(ReportPage.class, "words.txt")
          .lines()
          .filter(line -> !line.isEmpty())
          .map(line -> line.split(": ", 2))
          .collect(LinkedHashMap::new, (map, word) -> map.put(word[0], word[1]), Map::putAll);

  /** The place of each contestant's color in the palette of pages; others have the last. */
  private static final Map<String, Integer> COLORS =
      Map.of(
          "rockpool",
          1,
          "agent",
          2,
          "ownPool",
          3,
          "oneSlot",
          3,
          "jdk",
          4,
          "threadLocalPool",
          5,
          "lwjglStack",
          6,
          "opened",
          7);

  private static final int LAST_COLOR = 8;

  /** A JVM is told by the kind of line, or by how dark a bar is. */
  private static final List<String> LINES = List.of("solid", "dashed", "dotted");

  private static final double[] OPACITIES = {1, 0.6, 0.35};

  private final Page page = new Page("Rockpool benchmarks");

  static Page of(Report report) {
    ReportPage content = new ReportPage();
    content.all(report);
    return content.page;
  }

  private void all(Report report) {
    page.paragraph(Report.CAUTION).terms(report.origin()).paragraph(Report.LEGEND);
    List<Comparison> comparisons = report.comparisons();
    Map<String, String> contestants = new LinkedHashMap<>(WORDS);
    contestants.keySet().retainAll(contestants(comparisons));
    page.terms(contestants);
    if (!report.failures().isEmpty()) {
      page.section("Failed");
      report.failures().forEach(page::paragraph);
    }
    comparisons.stream()
        .sorted(Comparator.comparing(each -> !each.key().sweep()))
        .collect(groupingBy(each -> each.key().text(), LinkedHashMap::new, toList()))
        .forEach(this::section);
  }

  private void section(String title, List<Comparison> group) {
    Comparison.Key key = group.getFirst().key();
    page.section(title);
    page.paragraph(
        Stream.of(key.workload(), key.conditions())
            .flatMap(name -> Stream.ofNullable(WORDS.get(name)))
            .collect(joining(" ")));
    page.chart(title, chart(group, "ns/op", row -> row.result().time().value()));
    if (key.sweep()) {
      page.chart(
          title + ": how many times as fast as jdk",
          chart(group, "x", row -> row.ratio() == null ? null : row.ratio().value()));
    }
    for (Comparison comparison : group) {
      page.foldedTable(comparison.table());
      comparison.extremes().forEach(page::paragraph);
    }
  }

  private static List<String> contestants(List<Comparison> comparisons) {
    return comparisons.stream()
        .flatMap(comparison -> comparison.rows().stream())
        .map(Row::contestant)
        .distinct()
        .toList();
  }

  private static JsonObject chart(
      List<Comparison> group, String unit, Function<Row, @Nullable Double> value) {
    boolean sweep = group.getFirst().key().sweep();
    List<String> labels =
        group.stream().flatMap(c -> c.rows().stream()).map(ReportPage::label).distinct().toList();
    List<JsonObject> all = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      Comparison comparison = group.get(i);
      for (String contestant : contestants(List.of(comparison))) {
        Map<String, @Nullable Double> values = new LinkedHashMap<>();
        labels.forEach(label -> values.put(label, null));
        comparison.rows().stream()
            .filter(row -> row.contestant().equals(contestant))
            .forEach(row -> values.put(label(row), rounded(value.apply(row))));
        if (values.values().stream().anyMatch(each -> each != null)) {
          String name =
              contestant + (group.size() == 1 ? "" : ", " + comparison.key().jvm().label());
          JsonObject series =
              Charts.series(sweep ? "line" : "bar", name, new ArrayList<>(values.values()));
          series.addProperty("color", "--color" + COLORS.getOrDefault(contestant, LAST_COLOR));
          JsonObject style = new JsonObject();
          style.addProperty("type", LINES.get(i % LINES.size()));
          series.add("lineStyle", style);
          series.addProperty("symbol", "none");
          JsonObject bar = new JsonObject();
          bar.addProperty("opacity", OPACITIES[i % OPACITIES.length]);
          series.add("itemStyle", bar);
          all.add(series);
        }
      }
    }
    String names = String.join(", ", group.getFirst().parameterNames());
    return Charts.withLegend(Charts.of(labels, names, unit, all));
  }

  private static String label(Row row) {
    return String.join(", ", row.result().parameters().values());
  }

  /** Three digits after the point: more would be noise in a tooltip. */
  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null || !Double.isFinite(value) ? null : Math.rint(value * 1000) / 1000;
  }
}
