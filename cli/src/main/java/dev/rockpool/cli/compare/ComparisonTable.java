package dev.rockpool.cli.compare;

import static dev.rockpool.cli.support.Side.WITH;
import static dev.rockpool.cli.support.Side.WITHOUT;
import static dev.rockpool.cli.support.Statistics.threeDigits;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.Headline;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Side;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons side by side, as text and JSON.
 *
 * @param verdict what they come to; null if the table says it
 * @param subject the things that were compared, as the header of their names
 * @param unit of their times
 * @param remarks text under the table
 * @param settings of the run, for JSON
 */
record ComparisonTable(
    @Nullable Headline verdict,
    String subject,
    String unit,
    List<Comparison> comparisons,
    String remarks,
    Map<String, Object> settings) {
  String text() {
    return (verdict == null ? "" : verdict.text() + "\n\n") + figures();
  }

  /** Prints the text, with the verdict in colour where the terminal has it. */
  void print() {
    if (verdict != null) {
      verdict.print();
      System.out.println();
    }
    System.out.print(figures());
  }

  private String figures() {
    return table().text() + explanation();
  }

  private Table table() {
    Table.Filled<Comparison> table =
        Table.each(comparisons)
            .column(subject, each -> each.name() + (each.isCompiled() ? "" : " *"))
            .column(unit + " without", each -> both(each, WITHOUT))
            .column("with", each -> both(each, WITH))
            .column("with the agent", Comparison::change);
    // Garbage is known of programs that measure themselves.
    if (!Double.isNaN(comparisons.getFirst().garbageBytes(WITHOUT))) {
      table
          .column("garbage without", each -> Math.round(each.garbageBytes(WITHOUT)) + " B")
          .column("with", each -> Math.round(each.garbageBytes(WITH)) + " B");
    }
    return table.numbers("");
  }

  private String both(Comparison comparison, Side side) {
    return digits(comparison.time(side)) + " (" + digits(comparison.fastest(side)) + ")";
  }

  private String digits(double value) {
    return unit.equals("s") ? String.format(Locale.ROOT, "%.3f", value) : threeDigits(value);
  }

  private String explanation() {
    String compiled =
        comparisons.stream().allMatch(Comparison::isCompiled)
            ? ""
            : "* Not compiled yet when measured: the figure says little.\n";
    int jvms = comparisons.getFirst().runs(WITH).size();
    String fastest = unit.equals("s") ? "JVM" : "batch of any JVM";
    return "\n%sTimes: median of %s %s a side, in brackets the fastest %s.\n%s\n%s\n%s\n"
        .formatted(
            compiled, jvms, jvms == 1 ? "JVM" : "JVMs", fastest, remarks, Host.jdk(), Host.note());
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>(Host.json());
    json.putAll(settings);
    if (verdict != null) {
      json.put("verdict", verdict.text());
    }
    json.put("unit", unit);
    json.put("comparisons", comparisons.stream().map(Comparison::json).toList());
    return json;
  }
}
