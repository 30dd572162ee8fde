package dev.rockpool.cli.compare;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Side;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Comparisons side by side, as text, Markdown and JSON.
 *
 * @param verdict what they come to, in a sentence; empty if the table says it
 * @param subject the things that were compared, as the header of their names
 * @param unit of their times
 * @param remarks text under the table
 * @param settings of the run, for JSON
 */
record ComparisonTable(
    String verdict,
    String subject,
    String unit,
    List<Comparison> comparisons,
    String remarks,
    Map<String, Object> settings) {
  String text() {
    return (verdict.isEmpty() ? "" : verdict + "\n\n") + table().text() + explanation();
  }

  String markdown() {
    return table().markdown() + "\n" + explanation();
  }

  private Table table() {
    // Garbage is known of programs that measure themselves.
    boolean hasGarbage = !Double.isNaN(comparisons.getFirst().garbageBytes(Side.WITHOUT));
    List<String> header =
        new ArrayList<>(List.of(subject, unit + " without", "with", "with the agent"));
    header.addAll(hasGarbage ? List.of("garbage without", "with") : List.of());
    Table table = Table.of(header.toArray(String[]::new));
    for (Comparison each : comparisons) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  each.name() + (each.isCompiled() ? "" : " *"),
                  both(each, Side.WITHOUT),
                  both(each, Side.WITH),
                  each.change()));
      if (hasGarbage) {
        cells.add(Math.round(each.garbageBytes(Side.WITHOUT)) + " B");
        cells.add(Math.round(each.garbageBytes(Side.WITH)) + " B");
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
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
    int jvms = comparisons.getFirst().with().size();
    String fastest = unit.equals("s") ? "JVM" : "batch of any JVM";
    return "\n%sTimes: median of %s %s a side, in brackets the fastest %s.\n%s\n%s\n%s\n"
        .formatted(
            compiled, jvms, jvms == 1 ? "JVM" : "JVMs", fastest, remarks, Host.jdk(), Host.note());
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>(Host.json());
    json.putAll(settings);
    if (!verdict.isEmpty()) {
      json.put("verdict", verdict);
    }
    json.put("unit", unit);
    json.put("comparisons", comparisons.stream().map(Comparison::json).toList());
    return json;
  }
}
