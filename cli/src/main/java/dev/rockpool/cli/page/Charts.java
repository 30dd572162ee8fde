package dev.rockpool.cli.page;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.support.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Charts, as ECharts is told of them; {@link Page#chart} adds colors and margins. */
public final class Charts {
  /** The same series of another JVM is told apart by the kind of line, or by how dark a bar is. */
  private static final List<String> LINES = List.of("solid", "dashed", "dotted");

  private static final double[] OPACITIES = {1, 0.6, 0.35};

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

  /**
   * A series with a color of its own.
   *
   * @param color in the palette of pages, from 1 to 8
   * @param variant from 0 on, of those with the same color
   */
  public static JsonObject series(
      String type, String name, List<@Nullable Double> values, int color, int variant) {
    JsonObject series = series(type, name, values);
    series.addProperty("color", "--color" + color);
    series.addProperty("symbol", "none");
    series.add("lineStyle", object("type", LINES.get(variant % LINES.size())));
    series.add("itemStyle", object("opacity", OPACITIES[variant % OPACITIES.length]));
    return series;
  }

  /**
   * A chart of lines with colors of their own as SVG, for a document; the note is under the title.
   */
  public static String svg(String title, String note, JsonObject option) {
    return new Picture().draw(title, note, option);
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

  /** The picture of a chart, which needs nothing else, and follows the reader's light or dark. */
  private static final class Picture {
    private static final int WIDTH = 880;
    private static final int LEFT = 60;
    private static final int RIGHT = 860;
    private static final int TOP = 84;
    private static final int BOTTOM = 400;
    private static final int LEGEND = 470;
    private static final int LEGEND_STEP = 22;

    /** Most marks on an axis, without the first. */
    private static final int STEPS = 8;

    private static final Map<String, String> DASHES = Map.of("dashed", "7 4", "dotted", "2 3");

    private final StringBuilder svg = new StringBuilder();

    String draw(String title, String note, JsonObject chart) {
      JsonArray labels = chart.getAsJsonObject("xAxis").getAsJsonArray("data");
      List<JsonObject> lines =
          chart.getAsJsonArray("series").asList().stream()
              .map(line -> line.getAsJsonObject())
              .toList();
      int height = LEGEND + LEGEND_STEP * ((lines.size() + 1) / 2);
      svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
      svg.append(WIDTH + " " + height + "\" role=\"img\">\n");
      svg.append("<title>" + Page.escape(title) + "</title>\n");
      svg.append(Page.packaged(Charts.class, "chart.svg"));
      text("title", LEFT, 30, "start", title);
      text("faint", LEFT, 52, "start", note);
      text(
          "faint", LEFT, TOP - 12, "end", chart.getAsJsonObject("yAxis").get("name").getAsString());
      double most = lines.stream().flatMapToDouble(Picture::values).max().orElse(1);
      double step = roundStep(most);
      double top = step * Math.ceil(most / step);
      for (int i = 0; i * step <= top; i++) {
        double y = y(i * step / top);
        svg.append("<path class=\"grid\" d=\"M%s %sH%s\"/>\n".formatted(LEFT, at(y), RIGHT));
        text("faint", LEFT - 8, y + 4, "end", mark(i * step));
      }
      double last = Math.max(1, labels.size() - 1);
      int each = Math.max(1, Integer.highestOneBit((labels.size() - 1) / STEPS));
      for (int i = 0; i < labels.size(); i += each) {
        text("faint", x(i / last), BOTTOM + 18, "middle", labels.get(i).getAsString());
      }
      String xName = chart.getAsJsonObject("xAxis").get("name").getAsString();
      text("faint", x(0.5), BOTTOM + 40, "middle", xName);
      for (int i = 0; i < lines.size(); i++) {
        JsonArray data = lines.get(i).getAsJsonArray("data");
        List<String> points = new ArrayList<>();
        for (int p = 0; p < data.size(); p++) {
          if (!data.get(p).isJsonNull()) {
            points.add(at(x(p / last)) + "," + at(y(data.get(p).getAsDouble() / top)));
          }
        }
        polyline(lines.get(i), String.join(" ", points));
        double left = x(i % 2 * 0.5);
        int y = LEGEND + i / 2 * LEGEND_STEP;
        polyline(lines.get(i), at(left) + "," + (y - 4) + " " + at(left + 32) + "," + (y - 4));
        text("label", left + 40, y, "start", lines.get(i).get("name").getAsString());
      }
      return svg.append("</svg>\n").toString();
    }

    private static DoubleStream values(JsonObject line) {
      return line.getAsJsonArray("data").asList().stream()
          .filter(value -> !value.isJsonNull())
          .mapToDouble(value -> value.getAsDouble());
    }

    /** The least round number that leads to {@code most} in few steps. */
    private static double roundStep(double most) {
      double unit = Math.pow(10, Math.floor(Math.log10(most / STEPS)));
      return DoubleStream.of(unit, 2 * unit, 5 * unit)
          .filter(step -> STEPS * step >= most)
          .findFirst()
          .orElse(10 * unit);
    }

    private static String mark(double value) {
      return value == Math.rint(value)
          ? Long.toString((long) value)
          : Statistics.threeDigits(value);
    }

    private static double x(double part) {
      return LEFT + (RIGHT - LEFT) * part;
    }

    private static double y(double part) {
      return BOTTOM - (BOTTOM - TOP) * part;
    }

    private void polyline(JsonObject line, String points) {
      String type = line.getAsJsonObject("lineStyle").get("type").getAsString();
      svg.append(
          "<polyline class=\"line\" stroke=\"var(%s)\" stroke-dasharray=\"%s\" points=\"%s\"/>\n"
              .formatted(
                  line.get("color").getAsString(), DASHES.getOrDefault(type, "none"), points));
    }

    private void text(String style, double x, double y, String anchor, String text) {
      svg.append(
          "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
              .formatted(style, at(x), at(y), anchor, Page.escape(text)));
    }

    private static String at(double coordinate) {
      return String.format(Locale.ROOT, "%.1f", coordinate);
    }
  }
}
