package dev.rockpool.cli.page;

import static dev.rockpool.cli.page.Page.escape;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A chart of bars, as SVG that needs no script. Its numbers must be in a table, too.
 *
 * @param title what it shows
 * @param xName of what the labels are
 * @param most the top of the axis
 * @param unit of the axis, such as %
 * @param series the first one to the left at each label
 */
public record Chart(
    String title,
    String xName,
    List<String> labels,
    double most,
    String unit,
    List<Series> series) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 320;
  private static final int LEFT = 56;
  private static final int TOP = 28;
  private static final int FLOOR = 240;
  private static final int LINES = 4;

  /** More labels than this have no room beside each other. */
  private static final int MOST_LABELS = 32;

  /** One bar for each label. */
  public record Series(String name, List<Double> values) {}

  /** Returns a chart of numbers from 0 on. */
  public static Chart ofNumbers(
      String title, String xName, List<String> labels, String name, List<Double> values) {
    double most = values.stream().mapToDouble(value -> value).max().orElse(0);
    double top = LINES;
    while (top < most) {
      top *= top * 2.5 > most ? 2.5 : 10;
    }
    return new Chart(title, xName, labels, top, "", List.of(new Series(name, values)));
  }

  String svg() {
    List<String> parts = new ArrayList<>();
    for (int line = 0; line <= LINES; line++) {
      double value = most * line / LINES;
      parts.add(
          "<path d='M%s %sH%s' class='line'/>".formatted(LEFT, pixels(y(value)), WIDTH)
              + text(LEFT - 6, y(value) + 4, "end", number(value) + unit));
    }
    double slot = (double) (WIDTH - LEFT) / labels.size();
    int step = 1 + (labels.size() - 1) / MOST_LABELS;
    for (int i = 0; i < labels.size(); i++) {
      double x = LEFT + i * slot;
      double width = 0.8 * slot / series.size();
      for (int bar = 0; bar < series.size(); bar++) {
        double value = series.get(bar).values.get(i);
        parts.add(
            "<rect x='%s' y='%s' width='%s' height='%s' class='bar%s'><title>%s</title></rect>"
                .formatted(
                    pixels(x + 0.1 * slot + bar * width),
                    pixels(y(value)),
                    pixels(width),
                    pixels(FLOOR - y(value)),
                    bar + 1,
                    escape(labels.get(i) + ": " + number(value) + unit)));
      }
      if (i % step == 0) {
        double middle = x + slot / 2 + 4;
        parts.add(
            "<g transform='rotate(-60 %s %s)'>".formatted(pixels(middle), FLOOR + 12)
                + text(middle, FLOOR + 12, "end", labels.get(i))
                + "</g>");
      }
    }
    parts.add(text((LEFT + WIDTH) / 2.0, HEIGHT - 4, "middle", xName));
    for (int bar = 0; bar < series.size() && series.size() > 1; bar++) {
      int x = LEFT + 160 * bar;
      parts.add(
          "<rect x='%s' y='6' width='12' height='12' class='bar%s'/>".formatted(x, bar + 1)
              + text(x + 18, 16, "start", series.get(bar).name));
    }
    return "<svg viewBox='0 0 %s %s' role='img' aria-label=\"%s\">\n%s\n</svg>\n"
        .formatted(WIDTH, HEIGHT, escape(title), String.join("\n", parts));
  }

  private double y(double value) {
    return FLOOR - (FLOOR - TOP) * value / most;
  }

  private static String text(double x, double y, String anchor, String words) {
    return "<text x='%s' y='%s' text-anchor='%s'>%s</text>"
        .formatted(pixels(x), pixels(y), anchor, escape(words));
  }

  private static String pixels(double length) {
    return String.format(Locale.ROOT, "%.1f", length);
  }

  private static String number(double value) {
    boolean isWhole = value == Math.rint(value);
    return String.format(Locale.ROOT, isWhole ? "%,.0f" : "%,.3f", value);
  }
}
