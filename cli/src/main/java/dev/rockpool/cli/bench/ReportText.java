package dev.rockpool.cli.bench;

import dev.rockpool.cli.bench.Comparison.Row;
import dev.rockpool.cli.support.TextTable;
import dev.rockpool.cli.support.TimeLeft;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report as tables, for a terminal and as Markdown. Each row holds both sides of its ratio. */
final class ReportText {
  private static final String NONE = "-";

  private ReportText() {}

  /** The report for a terminal. */
  static String text(Report report) {
    StringBuilder text = new StringBuilder("Rockpool benchmarks\n\n");
    origin(report).forEach(line -> text.append(line).append('\n'));
    text.append('\n').append(Report.CAUTION).append('\n').append(Report.LEGEND).append('\n');
    for (Comparison comparison : report.comparisons()) {
      text.append('\n').append(comparison.title()).append("\n\n");
      TextTable table = new TextTable(header(comparison).toArray(String[]::new));
      rows(comparison).forEach(row -> table.row(row.toArray(String[]::new)));
      text.append(table);
      extremes(comparison).forEach(line -> text.append(line).append('\n'));
    }
    failures(report).forEach(line -> text.append('\n').append(line).append('\n'));
    return text.toString();
  }

  /** The report as Markdown. */
  static String markdown(Report report) {
    StringBuilder text = new StringBuilder("# Rockpool benchmarks\n\n");
    origin(report).forEach(line -> text.append("- ").append(line).append('\n'));
    text.append('\n').append(Report.CAUTION).append("\n\n").append(Report.LEGEND).append('\n');
    for (Comparison comparison : report.comparisons()) {
      text.append("\n## ").append(comparison.title()).append("\n\n");
      List<String> header = header(comparison);
      text.append(markdownRow(header));
      text.append("|---|").repeat("---:|", header.size() - 1).append('\n');
      rows(comparison).forEach(row -> text.append(markdownRow(row)));
      extremes(comparison).forEach(line -> text.append('\n').append(line).append('\n'));
    }
    failures(report).forEach(line -> text.append('\n').append(line).append('\n'));
    return text.toString();
  }

  private static String markdownRow(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private static List<String> origin(Report report) {
    Report.Origin origin = report.origin();
    List<String> lines = new ArrayList<>();
    lines.add("Rockpool " + origin.rockpool());
    lines.add("Command: " + origin.command());
    lines.add(
        "Start: "
            + origin.start().format(DateTimeFormatter.ISO_OFFSET_DATE_TIME)
            + ", took "
            + TimeLeft.text(origin.duration()));
    lines.add("System: " + origin.os());
    lines.add("Processor: " + origin.cpu() + load(origin.load()));
    for (Jvm jvm : origin.jvms()) {
      lines.add(jvm.label() + ": " + jvm.vm() + ", " + jvm.vendor() + ", " + jvm.home());
    }
    report.settings().forEach(settings -> lines.add("Measured: " + settings));
    return lines;
  }

  private static String load(double load) {
    return load < 0 ? "" : String.format(Locale.ROOT, "; load average before: %.2f", load);
  }

  private static List<String> header(Comparison comparison) {
    return Stream.of(
            Stream.of("contestant"),
            parameterNames(comparison).stream(),
            Stream.of("ns/op", "jdk ns/op", "ratio", "B/op", "jdk B/op"))
        .flatMap(s -> s)
        .toList();
  }

  /** A row for each contestant but the JDK's arena, which stands in all the others. */
  private static List<List<String>> rows(Comparison comparison) {
    Set<Result> shown =
        comparison.rows().stream()
            .flatMap(row -> Stream.ofNullable(row.jdk()))
            .collect(Collectors.toSet());
    return comparison.rows().stream()
        .filter(row -> !shown.contains(row.result()))
        .map(row -> cells(row, parameterNames(comparison)))
        .toList();
  }

  private static List<String> cells(Row row, SortedSet<String> parameterNames) {
    BenchmarkId id = row.result().id();
    List<String> cells = new ArrayList<>();
    cells.add(id.contestant());
    parameterNames.forEach(name -> cells.add(id.parameters().getOrDefault(name, NONE)));
    Optional<Result> jdk = Optional.ofNullable(row.jdk());
    cells.add(row.result().time().text());
    cells.add(jdk.map(result -> result.time().text()).orElse(NONE));
    cells.add(Optional.ofNullable(row.ratio()).map(Ratio::text).orElse(NONE));
    cells.add(row.result().garbage().bytesText());
    cells.add(jdk.map(result -> result.garbage().bytesText()).orElse(NONE));
    return cells;
  }

  private static SortedSet<String> parameterNames(Comparison comparison) {
    return comparison.rows().stream()
        .flatMap(row -> row.result().id().parameters().keySet().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Of a sweep, where each contestant gains the least and the most. */
  private static List<String> extremes(Comparison comparison) {
    if (comparison.part() != Result.Part.SWEEP) {
      return List.of();
    }
    return comparison.rows().stream()
        .filter(row -> row.ratio() != null)
        .collect(Collectors.groupingBy(row -> row.result().id().contestant(), Collectors.toList()))
        .entrySet()
        .stream()
        .map(entry -> entry.getKey() + ": " + extremes(entry.getValue()))
        .sorted()
        .toList();
  }

  private static String extremes(List<Row> rows) {
    Comparator<Row> byRatio =
        Comparator.comparingDouble(row -> Objects.requireNonNull(row.ratio()).value());
    return "least "
        + at(rows.stream().min(byRatio).orElseThrow())
        + ", most "
        + at(rows.stream().max(byRatio).orElseThrow());
  }

  private static String at(Row row) {
    return Objects.requireNonNull(row.ratio()).text() + " at " + row.result().id().parameterText();
  }

  private static List<String> failures(Report report) {
    return report.failures().stream().map(failure -> "Failed: " + failure.text()).toList();
  }
}
