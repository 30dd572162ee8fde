package dev.rockpool.cli.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.report.HitRates.HitRate;
import dev.rockpool.cli.report.Spread.Range;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The charts, as ECharts is told of them. All heights are percent. */
final class Pictures {
  private Pictures() {}

  static JsonObject byCount(Report report) {
    List<Range> ranges = Spread.powers(report.all());
    return withEachLabel(
        chart(
            labels(ranges, Range::label),
            "bytes per arena",
            "% of arenas",
            bars("arenas", ranges, Range::arenas, report.all().arenas())),
        92);
  }

  static JsonObject byBytes(Report report) {
    List<Range> ranges = Spread.powers(report.all());
    return withEachLabel(
        chart(
            labels(ranges, Range::label),
            "bytes per arena",
            "% of bytes",
            bars("bytes", ranges, Range::bytes, report.all().bytes())),
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
    return withLegend(option);
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
    return withEachLabel(option, 60);
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
      JsonArray labels, String xName, String yName, JsonObject... series) {
    JsonObject x = new JsonObject();
    x.addProperty("name", xName);
    x.add("data", labels);
    JsonObject y = new JsonObject();
    y.addProperty("name", yName);
    JsonArray all = new JsonArray();
    List.of(series).forEach(all::add);
    JsonObject option = new JsonObject();
    option.add("xAxis", x);
    option.add("yAxis", y);
    option.add("series", all);
    return option;
  }

  private static JsonObject withLegend(JsonObject option) {
    JsonObject legend = new JsonObject();
    legend.addProperty("top", 0);
    option.add("legend", legend);
    return option;
  }

  /**
   * Shows each label, where on a phone most would be left out: oblique.
   *
   * @param nameGap from the axis to its name, in pixels: the labels come between
   */
  private static JsonObject withEachLabel(JsonObject option, int nameGap) {
    JsonObject label = new JsonObject();
    label.addProperty("interval", 0);
    label.addProperty("rotate", 60);
    JsonObject axis = option.getAsJsonObject("xAxis");
    axis.add("axisLabel", label);
    axis.addProperty("nameGap", nameGap);
    return option;
  }

  private static <T> JsonArray labels(List<T> items, Function<T, String> label) {
    JsonArray labels = new JsonArray();
    items.forEach(item -> labels.add(label.apply(item)));
    return labels;
  }

  private static <T> JsonObject bars(
      String name, List<T> items, ToLongFunction<T> part, long whole) {
    return series("bar", name, items, part, whole);
  }

  private static <T> JsonObject series(
      String type, String name, List<T> items, ToLongFunction<T> part, long whole) {
    JsonArray data = new JsonArray();
    items.forEach(item -> data.add(percent(part.applyAsLong(item), whole)));
    JsonObject label = new JsonObject();
    label.addProperty("show", false); // too many digits for a bar of a phone; they are in the table
    JsonObject series = new JsonObject();
    series.addProperty("type", type);
    series.addProperty("name", name);
    series.add("label", label);
    series.add("data", data);
    return series;
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : Math.round(1e8 * part / whole) / 1e6;
  }
}
