package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.Spread.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The charts, as ECharts is told of them. All heights are percent. */
final class Pictures {
  private Pictures() {}

  static JsonObject byCount(Report report) {
    return powers(report, "arenas", Range::arenas, report.all().arenas());
  }

  static JsonObject byBytes(Report report) {
    return powers(report, "bytes", Range::bytes, report.all().bytes());
  }

  private static JsonObject powers(
      Report report, String name, ToLongFunction<Range> part, long whole) {
    List<Range> ranges = Spread.powers(report.all());
    return Charts.withEachLabel(
        chart(
            labels(ranges, Range::label),
            "bytes per arena",
            "% of " + name,
            bars(name, ranges, part, whole)),
        92);
  }

  static JsonObject singles(Report report) {
    List<Range> ranges = Spread.singles(report.all());
    JsonObject option =
        chart(
            labels(ranges, Range::label),
            "bytes per arena",
            "%",
            bars("% of arenas", ranges, Range::arenas, report.all().arenas()),
            bars("% of bytes", ranges, Range::bytes, report.all().bytes()));
    return Charts.withLegend(option);
  }

  static JsonObject hitRates(Report report) {
    HitRates rates = report.hitRates();
    List<HitRate> all = rates.all();
    JsonObject option =
        chart(
            labels(all, rate -> Numbers.size(rate.slabByteSize())),
            "bytes of a slab",
            "% of arenas that allocate",
            series("line", "served", all, HitRate::surely, rates.allocating()));
    // The difference between nearly all and all is what this is about.
    option.getAsJsonObject("yAxis").addProperty("scale", true);
    return Charts.withEachLabel(option, 60);
  }

  static JsonObject depths(Report report) {
    List<Long> depths = List.copyOf(report.all().depths().buckets().keySet());
    return chart(
        labels(depths, String::valueOf),
        "other arenas of the thread open",
        "% of arenas",
        bars("arenas", depths, report.all().depths()::in, report.all().depths().total()));
  }

  private static JsonObject chart(
      List<String> labels, String xName, String yName, JsonObject... series) {
    return Charts.of(labels, xName, yName, List.of(series));
  }

  private static <T> List<String> labels(List<T> items, Function<T, String> label) {
    return items.stream().map(label).toList();
  }

  private static <T> JsonObject bars(
      String name, List<T> items, ToLongFunction<T> part, long whole) {
    return series("bar", name, items, part, whole);
  }

  private static <T> JsonObject series(
      String type, String name, List<T> items, ToLongFunction<T> part, long whole) {
    List<@Nullable Double> values = new ArrayList<>();
    items.forEach(item -> values.add(percent(part.applyAsLong(item), whole)));
    return Charts.series(type, name, values);
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : Math.round(1e8 * part / whole) / 1e6;
  }
}
