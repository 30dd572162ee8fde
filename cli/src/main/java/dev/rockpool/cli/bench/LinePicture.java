package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.Statistics;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A picture of lines for a document: an SVG file that needs nothing else. Its colors follow the
 * reader's choice of light or dark.
 *
 * @param title the heading
 * @param note where and when, in a line
 * @param x the axis at the bottom
 * @param yName the unit of the other one, which begins at 0
 * @param lines all there are
 */
record LinePicture(String title, String note, Axis x, String yName, List<Line> lines) {
  private static final int WIDTH = 880;
  private static final int LEFT = 60;
  private static final int RIGHT = 860;
  private static final int TOP = 84;
  private static final int BOTTOM = 400;
  private static final int LEGEND = 470;
  private static final int LEGEND_STEP = 22;

  /** At most as many marks there are on the axis to the left, beside 0. */
  private static final int STEPS = 8;

  /**
   * The axis at the bottom, from the first point of all lines to the last.
   *
   * @param name of the axis
   * @param step from one mark to the next
   * @param mark the text of a mark
   */
  record Axis(String name, double step, DoubleFunction<String> mark) {}

  /**
   * A line, and its place in the legend.
   *
   * @param style the class of its color
   * @param dashes as SVG has them, or none
   */
  record Line(String name, String style, String dashes, List<Point> points) {}

  record Point(double x, double y) {}

  /** The picture as a document. */
  String svg() {
    double least = xs().min().orElse(0);
    double most = Math.max(least + 1, xs().max().orElse(0));
    double highest = lines.stream().flatMapToDouble(LinePicture::ys).max().orElse(1);
    double step = roundStep(highest);
    double top = step * Math.ceil(highest / step);
    StringBuilder svg = new StringBuilder(head());
    svg.append(text("title", LEFT, 30, "start", title))
        .append(text("faint", LEFT, 52, "start", note));
    svg.append(text("faint", LEFT, TOP - 12, "end", yName));
    for (int i = 0; i * step <= top; i++) {
      double y = y(i * step / top);
      svg.append("<path class=\"grid\" d=\"M%s %sH%s\"/>\n".formatted(LEFT, at(y), RIGHT));
      svg.append(text("faint", LEFT - 8, y + 4, "end", mark(i * step)));
    }
    for (double mark = Math.ceil(least / x.step) * x.step; mark <= most; mark += x.step) {
      double place = x((mark - least) / (most - least));
      svg.append(text("faint", place, BOTTOM + 18, "middle", x.mark.apply(mark)));
    }
    svg.append(text("faint", x(0.5), BOTTOM + 40, "middle", x.name));
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      svg.append(
          polyline(
              line,
              line.points.stream()
                  .map(p -> at(x((p.x - least) / (most - least))) + "," + at(y(p.y / top)))
                  .collect(Collectors.joining(" "))));
      double left = x(i % 2 * 0.5);
      int y = LEGEND + i / 2 * LEGEND_STEP;
      svg.append(polyline(line, at(left) + "," + (y - 4) + " " + at(left + 32) + "," + (y - 4)));
      svg.append(text("label", left + 40, y, "start", line.name));
    }
    return svg.append("</svg>\n").toString();
  }

  private String head() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img">
    <title>%s</title>
    <style>
    text { fill: #1b1f24; font: 13px system-ui, sans-serif; }
    .title { font-size: 17px; font-weight: 600; } .faint { fill: #59636e; }
    .back { fill: #ffffff; } .grid { stroke: #d5dade; }
    .line { fill: none; stroke: #7f4fc9; stroke-width: 2; } .jdk { stroke: #7c8791; }
    .agent { stroke: #c2570c; } .rockpool { stroke: #0b8a7d; } .opened { stroke: #86b300; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e4e8eb; } .faint { fill: #9aa5af; }
      .back { fill: #14181c; } .grid { stroke: #38414a; }
      .line { stroke: #b394f0; } .jdk { stroke: #8d98a3; }
      .agent { stroke: #f0984a; } .rockpool { stroke: #35c9b8; } .opened { stroke: #b5d94c; }
    }
    </style>
    <rect class="back" width="100%%" height="100%%"/>
    """
        .formatted(WIDTH, height(), escape(title));
  }

  private int height() {
    return LEGEND + LEGEND_STEP * ((lines.size() + 1) / 2);
  }

  private DoubleStream xs() {
    return lines.stream().flatMapToDouble(line -> line.points.stream().mapToDouble(Point::x));
  }

  private static DoubleStream ys(Line line) {
    return line.points.stream().mapToDouble(Point::y);
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
    return value == Math.rint(value) ? Long.toString((long) value) : Statistics.threeDigits(value);
  }

  private static double x(double part) {
    return LEFT + (RIGHT - LEFT) * part;
  }

  private static double y(double part) {
    return BOTTOM - (BOTTOM - TOP) * part;
  }

  private static String polyline(Line line, String points) {
    return "<polyline class=\"line %s\" stroke-dasharray=\"%s\" points=\"%s\"/>\n"
        .formatted(line.style, line.dashes, points);
  }

  private static String text(String style, double x, double y, String anchor, String text) {
    return "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
        .formatted(style, at(x), at(y), anchor, escape(text));
  }

  private static String at(double coordinate) {
    return String.format(Locale.ROOT, "%.1f", coordinate);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
