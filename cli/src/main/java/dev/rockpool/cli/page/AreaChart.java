package dev.rockpool.cli.page;

import static dev.rockpool.cli.page.Page.escape;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * Parts of a whole over time, stacked, as SVG that needs no script.
 *
 * @param title what it shows
 * @param times of the values, ascending, in seconds
 * @param unit of the values
 * @param parts the lowest one first
 * @param marked the index of the time to mark
 * @param limit a line across, if it is greater than 0 and not far above the values
 */
public record AreaChart(
    String title, List<Double> times, String unit, List<Part> parts, int marked, double limit) {
  public record Part(String name, List<Double> values) {}

  private static final int WIDTH = 720;
  private static final int LEFT = 64;
  private static final int RIGHT = 12;
  private static final int TOP = 20;
  private static final int FLOOR = 230;
  private static final int LINES = 4;
  private static final int LEGEND_WIDTH = 220;
  private static final int LEGEND_HEIGHT = 18;
  private static final int COLUMNS = 3;

  /** Lines of a chart are so far apart, times a power of ten. */
  private static final List<Double> STEPS = List.of(1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0);

  /** The limit is drawn if it is at most so many times the highest sum. */
  private static final double NEAR = 2;

  String svg() {
    double[] sums = new double[times.size()];
    parts.forEach(part -> Arrays.setAll(sums, i -> sums[i] + part.values.get(i)));
    double highest = Arrays.stream(sums).max().orElse(0);
    boolean hasLimit = limit > 0 && limit <= NEAR * highest;
    double top = top(hasLimit ? Math.max(highest, limit) : highest);
    DoubleUnaryOperator y = value -> FLOOR - (FLOOR - TOP) * value / top;
    List<String> elements = new ArrayList<>();
    for (int line = 0; line <= LINES; line++) {
      double value = top * line / LINES;
      elements.add(
          "<path d='M%s %sH%s' class='line'/>"
                  .formatted(LEFT, pixels(y.applyAsDouble(value)), WIDTH - RIGHT)
              + text(LEFT - 6, y.applyAsDouble(value) + 4, "end", number(value)));
    }
    double[] floor = new double[times.size()];
    for (int part = 0; part < parts.size(); part++) {
      elements.add(area(part, floor, y));
    }
    addMarks(elements, sums, y);
    if (hasLimit) {
      double height = y.applyAsDouble(limit);
      elements.add(
          "<path d='M%s %sH%s' class='limit'/>".formatted(LEFT, pixels(height), WIDTH - RIGHT)
              + text(WIDTH - RIGHT, height - 4, "end", "limit " + number(limit) + " " + unit));
    }
    addLegend(elements);
    int rows = (parts.size() + COLUMNS - 1) / COLUMNS;
    return "<svg viewBox='0 0 %s %s' role='img' aria-label=\"%s\">\n%s\n</svg>\n"
        .formatted(
            WIDTH, FLOOR + 36 + rows * LEGEND_HEIGHT, escape(title), String.join("\n", elements));
  }

  /** Draws a part on those below, whose sums are in {@code floor}. */
  private String area(int part, double[] floor, DoubleUnaryOperator y) {
    StringBuilder path = new StringBuilder();
    List<Double> values = parts.get(part).values;
    for (int i = 0; i < floor.length; i++) {
      path.append(path.isEmpty() ? "M" : "L")
          .append(pixels(x(i)))
          .append(' ')
          .append(pixels(y.applyAsDouble(floor[i] + values.get(i))));
    }
    for (int i = floor.length - 1; i >= 0; i--) {
      path.append('L').append(pixels(x(i))).append(' ').append(pixels(y.applyAsDouble(floor[i])));
      floor[i] += values.get(i);
    }
    return "<path d='%sZ' class='area%s'><title>%s</title></path>"
        .formatted(path, part, escape(parts.get(part).name));
  }

  private void addMarks(List<String> elements, double[] sums, DoubleUnaryOperator y) {
    double x = x(marked);
    double height = y.applyAsDouble(sums[marked]);
    boolean isRight = x > WIDTH / 2.0;
    elements.add(
        "<path d='M%s %sV%s' class='mark'/>".formatted(pixels(x), FLOOR, pixels(height))
            + "<circle cx='%s' cy='%s' r='3' class='mark'/>".formatted(pixels(x), pixels(height))
            + text(
                isRight ? x - 6 : x + 6,
                Math.max(TOP - 6, height - 6),
                isRight ? "end" : "start",
                "peak " + number(sums[marked]) + " " + unit));
    elements.add(text(LEFT, FLOOR + 16, "start", "0 s"));
    elements.add(
        text(WIDTH - RIGHT, FLOOR + 16, "end", number(times.getLast() - times.getFirst()) + " s"));
  }

  private void addLegend(List<String> elements) {
    for (int part = 0; part < parts.size(); part++) {
      int x = LEFT + part % COLUMNS * LEGEND_WIDTH;
      int y = FLOOR + 32 + part / COLUMNS * LEGEND_HEIGHT;
      elements.add(
          "<rect x='%s' y='%s' width='12' height='12' class='area%s'/>".formatted(x, y - 10, part)
              + text(x + 18, y, "start", parts.get(part).name));
    }
  }

  private double x(int index) {
    double length = times.getLast() - times.getFirst();
    double share = length == 0 ? 0 : (times.get(index) - times.getFirst()) / length;
    return LEFT + (WIDTH - RIGHT - LEFT) * share;
  }

  /** Returns the end of an axis of which the lines are at round numbers. */
  private static double top(double most) {
    double unit = Math.pow(10, Math.floor(Math.log10(Math.max(1, most / LINES))));
    double steps = most / LINES / unit;
    double step = STEPS.stream().filter(each -> each >= steps).findFirst().orElse(10.0);
    return LINES * unit * step;
  }

  private static String text(double x, double y, String anchor, String words) {
    return "<text x='%s' y='%s' text-anchor='%s'>%s</text>"
        .formatted(pixels(x), pixels(y), anchor, escape(words));
  }

  private static String pixels(double length) {
    return String.format(Locale.ROOT, "%.1f", length);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
  }
}
