package dev.rockpool.cli.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Charts, as ECharts is told of them; {@link Page#chart} adds colors and margins. */
public final class Charts {
  /** The same series of another JVM is told apart by the kind of line, or by how dark a bar is. */
  private static final List<String> LINES = List.of("solid", "dashed", "dotted");

  private static final double[] OPACITIES = {1, 0.6, 0.35};

  private Charts() {}

  /** A chart whose series have a value for each label. */
  public static JsonObject of(
      List<String> labels, String xName, String yName, List<JsonObject> series) {
    JsonArray names = new JsonArray();
    labels.forEach(names::add);
    JsonObject x = new JsonObject();
    x.addProperty("name", xName);
    x.add("data", names);
    JsonObject y = new JsonObject();
    y.addProperty("name", yName);
    JsonArray all = new JsonArray();
    series.forEach(all::add);
    JsonObject option = new JsonObject();
    option.add("xAxis", x);
    option.add("yAxis", y);
    option.add("series", all);
    return option;
  }

  /**
   * A series without labels: they have too many digits for a bar of a phone, and are in a table.
   *
   * @param type bar or line
   * @param values one for each label of the chart, null where there is none
   */
  public static JsonObject series(String type, String name, List<@Nullable Double> values) {
    JsonArray data = new JsonArray();
    values.forEach(data::add);
    JsonObject label = new JsonObject();
    label.addProperty("show", false);
    JsonObject series = new JsonObject();
    series.addProperty("type", type);
    series.addProperty("name", name);
    series.add("label", label);
    series.add("data", data);
    return series;
  }

  /**
   * A series with a color of its own.
   *
   * @param color in the palette of pages, from 1 to 8
   * @param variant from 0 on, of those with the same color
   */
  public static JsonObject series(
      String type, String name, List<@Nullable Double> values, int color, int variant) {
    JsonObject line = new JsonObject();
    line.addProperty("type", LINES.get(variant % LINES.size()));
    JsonObject bar = new JsonObject();
    bar.addProperty("opacity", OPACITIES[variant % OPACITIES.length]);
    JsonObject series = series(type, name, values);
    series.addProperty("color", "--color" + color);
    series.addProperty("symbol", "none");
    series.add("lineStyle", line);
    series.add("itemStyle", bar);
    return series;
  }

  /**
   * A chart of lines with colors of their own as SVG, for a document; the note is under the title.
   */
  public static String svg(String title, String note, JsonObject option) {
    return Picture.of(title, note, option);
  }

  /** Names the series above the chart. */
  public static JsonObject withLegend(JsonObject option) {
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
  public static JsonObject withEachLabel(JsonObject option, int nameGap) {
    JsonObject label = new JsonObject();
    label.addProperty("interval", 0);
    label.addProperty("rotate", 60);
    JsonObject axis = option.getAsJsonObject("xAxis");
    axis.add("axisLabel", label);
    axis.addProperty("nameGap", nameGap);
    return option;
  }
}
