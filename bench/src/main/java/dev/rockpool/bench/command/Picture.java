package dev.rockpool.bench.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.DoubleStream;

/**
 * Lines over a common axis, as SVG that needs nothing else, and follows the reader's light or dark.
 *
 * @param labels of the horizontal axis; each line has a value for each
 */
record Picture(
    String title, String note, String xName, String yName, List<String> labels, List<Line> lines) {
  private static final int WIDTH = 880;
  private static final int LEFT = 60;

  /** Half of the last label is to the right of it. */
  private static final int RIGHT = 836;

  private static final int TOP = 84;
  private static final int BOTTOM = 400;
  private static final int LEGEND = 470;
  private static final int LEGEND_STEP = 22;

  /** An axis has at most so many marks, without the first. */
  private static final int MARKS = 8;

  private static final String STYLE =
      """
      <style>
      svg {
        --color1: #0b8a7d; --color2: #c2570c; --color4: #7c8791; --color7: #86b300;
        --text: #1b1f24; --faint: #59636e; --back: #ffffff; --line: #d5dade;
      }
      @media (prefers-color-scheme: dark) {
        svg {
          --color1: #35c9b8; --color2: #f0984a; --color4: #8d98a3; --color7: #b5d94c;
          --text: #e4e8eb; --faint: #9aa5af; --back: #14181c; --line: #38414a;
        }
      }
      text { fill: var(--text); font: 13px system-ui, sans-serif; }
      .title { font-size: 17px; font-weight: 600; } .faint { fill: var(--faint); }
      .back { fill: var(--back); } .grid { stroke: var(--line); }
      .line { fill: none; stroke-width: 2; }
      </style>
      <rect class="back" width="100%" height="100%"/>
      """;

  /**
   * A line.
   *
   * @param color of those in the style
   * @param values NaN where there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // for this package, which compares none
  record Line(String name, int color, double[] values) {
    static Line empty(String name, int color, int size) {
      double[] values = new double[size];
      Arrays.fill(values, Double.NaN);
      return new Line(name, color, values);
    }

    DoubleStream known() {
      return DoubleStream.of(values).filter(value -> !Double.isNaN(value));
    }
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    int height = LEGEND + LEGEND_STEP * ((lines.size() + 1) / 2);
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
    svg.append(WIDTH + " " + height + "\">\n<title>" + escape(title) + "</title>\n" + STYLE);
    svg.append(text("title", LEFT, 30, "start", title));
    svg.append(text("faint", LEFT, 52, "start", note));
    svg.append(text("faint", LEFT, TOP - 12, "end", yName));
    double most = lines.stream().flatMapToDouble(Line::known).max().orElse(1);
    double step = roundStep(most);
    double top = step * Math.ceil(most / step);
    for (int i = 0; i * step <= top; i++) {
      double y = y(i * step / top);
      svg.append("<path class=\"grid\" d=\"M%s %sH%s\"/>\n".formatted(LEFT, at(y), RIGHT));
      svg.append(text("faint", LEFT - 8, y + 4, "end", mark(i * step)));
    }
    int last = Math.max(1, labels.size() - 1);
    int each = Math.max(1, Integer.highestOneBit(last / MARKS));
    for (int i = 0; i < labels.size(); i += each) {
      svg.append(text("faint", x(i, last), BOTTOM + 18, "middle", labels.get(i)));
    }
    svg.append(text("faint", x(1, 2), BOTTOM + 40, "middle", xName));
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      StringJoiner points = new StringJoiner(" ");
      for (int p = 0; p < labels.size(); p++) {
        if (!Double.isNaN(line.values[p])) {
          points.add(at(x(p, last)) + "," + at(y(line.values[p] / top)));
        }
      }
      double left = x(i % 2, 2);
      double y = LEGEND + i / 2 * LEGEND_STEP;
      String sample = at(left) + "," + at(y - 4) + " " + at(left + 32) + "," + at(y - 4);
      for (String path : List.of(points.toString(), sample)) {
        svg.append("<polyline class=\"line\" stroke=\"var(--color" + line.color + ")\" points=\"");
        svg.append(path + "\"/>\n");
      }
      svg.append(text("label", left + 40, y, "start", line.name));
    }
    return svg.append("</svg>\n").toString();
  }

  /** The least round number that leads to {@code most} in few steps. */
  private static double roundStep(double most) {
    double unit = Math.pow(10, Math.floor(Math.log10(most / MARKS)));
    return DoubleStream.of(unit, 2 * unit, 5 * unit)
        .filter(step -> MARKS * step >= most)
        .findFirst()
        .orElse(10 * unit);
  }

  private static String mark(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
  }

  private static double x(double index, int last) {
    return LEFT + (RIGHT - LEFT) * index / last;
  }

  private static double y(double part) {
    return BOTTOM - (BOTTOM - TOP) * part;
  }

  private static String at(double coordinate) {
    return String.format(Locale.ROOT, "%.1f", coordinate);
  }

  private static String text(String style, double x, double y, String anchor, String text) {
    return "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
        .formatted(style, at(x), at(y), anchor, escape(text));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
