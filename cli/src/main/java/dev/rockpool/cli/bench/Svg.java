package dev.rockpool.cli.bench;

import java.util.Locale;

/** A picture in the making, in the colors of the report: what {@link SweepPicture} draws with. */
final class Svg {
  private final StringBuilder document;

  Svg(int width, int height, String title) {
    document =
        new StringBuilder(
            """
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
                .formatted(width, height, escape(title)));
  }

  /** A horizontal line of the grid. */
  void grid(double fromX, double y, double toX) {
    document.append(
        "<path class=\"grid\" d=\"M%s %sH%s\"/>\n".formatted(at(fromX), at(y), at(toX)));
  }

  /** A line of a contestant, through {@code points}: pairs made by {@link #point}. */
  void line(String contestant, String dashes, String points) {
    document.append(
        "<polyline class=\"line %s\" stroke-dasharray=\"%s\" points=\"%s\"/>\n"
            .formatted(contestant, dashes, points));
  }

  /** Text whose {@code anchor} (start, middle or end) is at the place given. */
  void text(String style, double x, double y, String anchor, String text) {
    document.append(
        "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
            .formatted(style, at(x), at(y), anchor, escape(text)));
  }

  static String point(double x, double y) {
    return at(x) + "," + at(y);
  }

  private static String at(double coordinate) {
    return String.format(Locale.ROOT, "%.1f", coordinate);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  /** All of it, as a document that needs nothing else. */
  String end() {
    return document.append("</svg>\n").toString();
  }
}
