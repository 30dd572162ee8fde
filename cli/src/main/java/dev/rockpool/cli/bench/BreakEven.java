package dev.rockpool.cli.bench;

import dev.rockpool.cli.bench.ProgramRuns.Runs;
import dev.rockpool.cli.bench.ProgramRuns.Variant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The processor time of a whole program by the number of its native calls, as a picture: where the
 * line of Rockpool comes below the others, it has earned its start back.
 *
 * @param runs of programs that differ in that number; others are left out, as are further JVMs
 * @param note where and when, in a line
 */
record BreakEven(List<Runs> runs, String note) {
  private static final int WIDTH = 880;
  private static final int LEFT = 60;
  private static final int RIGHT = 860;
  private static final int TOP = 84;
  private static final int BOTTOM = 400;
  private static final int LEGEND = 470;
  private static final int STEPS = 5;

  /** The picture, as a document that needs nothing else. */
  String svg() {
    List<Runs> shown =
        runs.stream()
            .filter(each -> each.program().calls() > 0 && each.jvm().equals(runs.getFirst().jvm()))
            .toList();
    double least = power(shown.getFirst());
    double most = power(shown.getLast());
    double seconds = shown.stream().mapToDouble(Runs::seconds).max().orElseThrow();
    String title = "A program from start to end: processor time by number of native calls";
    Svg svg = new Svg(WIDTH, LEGEND + 22, title);
    svg.text("title", LEFT, 30, "start", title);
    svg.text("faint", LEFT, 52, "start", note);
    svg.text("faint", LEFT, TOP - 12, "end", "CPU s");
    for (int i = 0; i <= STEPS; i++) {
      double y = y((double) i / STEPS);
      svg.grid(LEFT, y, RIGHT);
      String mark = String.format(Locale.ROOT, "%.2f", seconds * i / STEPS);
      svg.text("faint", LEFT - 8, y + 4, "end", mark);
    }
    for (double power = Math.ceil(least); power <= most; power++) {
      String mark = String.format(Locale.ROOT, "%,.0f", Math.pow(10, power));
      svg.text("faint", x((power - least) / (most - least)), BOTTOM + 18, "middle", mark);
    }
    svg.text("faint", x(0.5), BOTTOM + 40, "middle", "native calls, each with an arena of its own");
    double legend = 0;
    for (Variant variant : Variant.values()) {
      String points =
          shown.stream()
              .filter(each -> each.variant() == variant)
              .map(
                  each ->
                      Svg.point(
                          x((power(each) - least) / (most - least)), y(each.seconds() / seconds)))
              .collect(Collectors.joining(" "));
      svg.line(variant.style, "none", points);
      double x = x(legend);
      legend += 1.0 / Variant.values().length;
      svg.line(
          variant.style, "none", Svg.point(x, LEGEND - 4) + " " + Svg.point(x + 32, LEGEND - 4));
      svg.text("label", x + 40, LEGEND, "start", variant.text);
    }
    return svg.end();
  }

  private static double power(Runs runs) {
    return Math.log10((double) runs.program().calls());
  }

  private static double x(double part) {
    return LEFT + (RIGHT - LEFT) * part;
  }

  private static double y(double part) {
    return BOTTOM - (BOTTOM - TOP) * part;
  }
}
