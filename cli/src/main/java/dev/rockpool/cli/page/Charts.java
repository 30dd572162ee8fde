package dev.rockpool.cli.page;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Charts, as ECharts is told of them; {@link Page#chart} adds colors and margins. */
public final class Charts {
  private static final Gson GSON = new Gson();

  private Charts() {}

  /** A chart whose series have a value for each label. */
  public static JsonObject of(
      List<String> labels, String xName, String yName, List<JsonObject> series) {
    JsonObject option = new JsonObject();
    option.add("xAxis", object("name", xName, "data", labels));
    option.add("yAxis", object("name", yName));
    option.add("series", GSON.toJsonTree(series));
    return option;
  }

  private static JsonObject object(Object... namesAndValues) {
    JsonObject object = new JsonObject();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.add(namesAndValues[i].toString(), GSON.toJsonTree(namesAndValues[i + 1]));
    }
    return object;
  }

  /**
   * A series without labels: they have too many digits for a bar of a phone, and are in a table.
   *
   * @param type bar or line
   * @param values one for each label of the chart, null where there is none
   */
  public static JsonObject series(String type, String name, List<@Nullable Double> values) {
    return object("type", type, "name", name, "label", object("show", false), "data", values);
  }

  /** Names the series above the chart. */
  public static JsonObject withLegend(JsonObject option) {
    option.add("legend", object("top", 0));
    return option;
  }

  /**
   * Shows each label, where on a phone most would be left out: oblique.
   *
   * @param nameGap from the axis to its name, in pixels: the labels come between
   */
  public static JsonObject withEachLabel(JsonObject option, int nameGap) {
    JsonObject axis = option.getAsJsonObject("xAxis");
    axis.add("axisLabel", object("interval", 0, "rotate", 60));
    axis.addProperty("nameGap", nameGap);
    return option;
  }
}
