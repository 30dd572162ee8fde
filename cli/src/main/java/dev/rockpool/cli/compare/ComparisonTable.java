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
 * @param subject the things that were compared, as the header of their names
 * @param unit of their times
 * @param forecasts one for each comparison, or none
 * @param remarks text under the table
 * @param settings of the run, for JSON
 */
public record ComparisonTable(
    String subject,
    String unit,
    List<Comparison> comparisons,
    List<Forecast> forecasts,
    String remarks,
    Map<String, Object> settings) {
  public String text() {
    return table().text() + explanation();
  }

  String markdown() {
    return table().markdown() + "\n" + explanation();
  }

  private Table table() {
    // Garbage is known of programs that measure themselves.
    boolean hasGarbage = !Double.isNaN(comparisons.getFirst().garbageBytes(Side.WITHOUT));
    List<String> header = new ArrayList<>(List.of(subject, unit + " without", "with", "ratio"));
    header.addAll(hasGarbage ? List.of("garbage without", "with") : List.of());
    header.addAll(
        forecasts.isEmpty() ? List.of() : List.of("saved", "forecast", "forecast to saved"));
    Table table = Table.of(header.toArray(String[]::new));
    for (int i = 0; i < comparisons.size(); i++) {
      Comparison each = comparisons.get(i);
      List<String> cells =
          new ArrayList<>(
              List.of(
                  each.name() + (each.isCompiled() ? "" : " *"),
                  both(each.time(Side.WITHOUT), each.fastest(Side.WITHOUT)),
                  both(each.time(Side.WITH), each.fastest(Side.WITH)),
                  threeDigits(each.ratio()) + "x"));
      if (hasGarbage) {
        cells.add(Math.round(each.garbageBytes(Side.WITHOUT)) + " B");
        cells.add(Math.round(each.garbageBytes(Side.WITH)) + " B");
      }
      if (!forecasts.isEmpty()) {
        cells.add(
            both(each.saved(), each.fastestSaved())
                + String.format(
                    Locale.ROOT, ", %.1f %%", 100 * each.saved() / each.time(Side.WITHOUT)));
        Forecast forecast = forecasts.get(i);
        double rows = forecast.rows();
        cells.add(digits(forecast.low() / rows) + " to " + digits(forecast.high() / rows));
        cells.add(
            forecast.isSure()
                ? String.format(Locale.ROOT, "%.2f", forecast.ofRow() / each.saved())
                : "unsure");
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private String both(double median, double fastest) {
    return digits(median) + " (" + digits(fastest) + ")";
  }

  private String digits(double value) {
    return unit.equals("s")
        ? String.format(Locale.ROOT, "%.3f", value)
        : (value < 0 ? "-" : "") + threeDigits(Math.abs(value));
  }

  private String explanation() {
    StringBuilder text = new StringBuilder();
    if (!comparisons.stream().allMatch(Comparison::isCompiled)) {
      text.append(
          "* Not compiled yet when measured, in one JVM at least: the figures mean little.\n");
    }
    for (int i = 0; i < forecasts.size(); i++) {
      Forecast each = forecasts.get(i);
      String arenas =
          each.rows() == 1 ? "" : ", " + threeDigits(each.arenasPerRow()) + " arenas a row";
      text.append(comparisons.get(i).name() + arenas + ". " + each.verdict() + "\n");
    }
    int jvms = comparisons.getFirst().with().size();
    String fastest = unit.equals("s") ? "JVM" : "batch of any JVM";
    return "%sTimes: median of %s %s a side, in brackets the fastest %s.\n%s\n%s\n%s\n"
        .formatted(
            text, jvms, jvms == 1 ? "JVM" : "JVMs", fastest, remarks, Host.jdk(), Host.note());
  }

  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>(Host.json());
    json.putAll(settings);
    json.put("unit", unit);
    List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < comparisons.size(); i++) {
      Map<String, Object> one = comparisons.get(i).json();
      if (!forecasts.isEmpty()) {
        one.put("saved", comparisons.get(i).saved());
        one.put("fastestSaved", comparisons.get(i).fastestSaved());
        one.put("forecast", forecasts.get(i).ofRow());
        one.put("arenasPerRow", forecasts.get(i).arenasPerRow());
      }
      all.add(one);
    }
    json.put("comparisons", all);
    return json;
  }
}
