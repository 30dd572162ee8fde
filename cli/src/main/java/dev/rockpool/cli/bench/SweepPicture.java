package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A sweep as a picture of its own, for a document: time by size, a line for each contestant on each
 * JVM. Its colors follow the reader's choice of light or dark.
 *
 * @param conditions what all of it was measured in
 * @param sweeps the comparisons, one for each JVM
 * @param note where and when, in a line
 */
record SweepPicture(String conditions, List<Comparison> sweeps, String note) {
  private static final int WIDTH = 880;
  private static final int LEFT = 50;
  private static final int RIGHT = 860;
  private static final int TOP = 84;
  private static final int BOTTOM = 400;
  private static final int LEGEND = 470;
  private static final int LEGEND_STEP = 22;

  /** Bytes from one mark to the next. */
  private static final int SIZE_STEP = 8;

  /** At most as many marks of time there are, beside 0. */
  private static final int TIME_STEPS = 8;

  /** A JVM is told by the kind of line. */
  private static final List<String> DASHES = List.of("none", "7 4", "2 3");

  /** A contestant on one JVM. */
  private record Line(String contestant, String label, String dashes, List<Result> results) {}

  /** The pictures of a report: one for each kind of thread, none without a sweep. */
  static List<SweepPicture> of(Report report) {
    Map<String, List<Comparison>> sweeps =
        report.comparisons().stream()
            .filter(comparison -> comparison.part() == Result.Part.SWEEP)
            .collect(
                Collectors.groupingBy(
                    Comparison::conditions, LinkedHashMap::new, Collectors.toList()));
    Report.Origin origin = report.origin();
    String note = origin.cpu() + ", " + origin.os() + ", " + origin.start().toLocalDate();
    return sweeps.entrySet().stream()
        .map(entry -> new SweepPicture(entry.getKey(), entry.getValue(), note))
        .toList();
  }

  String fileName() {
    return conditions.isEmpty() ? "sweep.svg" : "sweep-" + thread() + ".svg";
  }

  /** The kind of thread: virtual in {@code OfVirtual}. */
  private String thread() {
    return conditions.isEmpty()
        ? "platform"
        : conditions.replaceFirst("^Of", "").toLowerCase(Locale.ROOT);
  }

  /** The picture, as a document that needs nothing else. */
  String svg() {
    List<Line> lines = lines();
    double bytes = Math.max(1, most(lines, SweepPicture::size));
    double step = roundStep(most(lines, SweepPicture::nanos));
    double nanos = step * Math.ceil(most(lines, SweepPicture::nanos) / step);
    String title = "One allocation in one arena, on a " + thread() + " thread";
    Svg svg = new Svg(WIDTH, LEGEND + LEGEND_STEP * ((lines.size() + 1) / 2), title);
    svg.text("title", LEFT, 30, "start", title);
    svg.text("faint", LEFT, 52, "start", note);
    svg.text("faint", LEFT, TOP - 12, "end", "ns/op");
    for (int i = 0; i * step <= nanos; i++) {
      double y = y(i * step / nanos);
      svg.grid(LEFT, y, RIGHT);
      svg.text("faint", LEFT - 8, y + 4, "end", mark(i * step));
    }
    for (int size = 0; size <= bytes; size += SIZE_STEP) {
      svg.text("faint", x(size / bytes), BOTTOM + 18, "middle", Integer.toString(size));
    }
    svg.text("faint", x(0.5), BOTTOM + 40, "middle", "size (bytes)");
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      String points =
          line.results().stream()
              .map(result -> Svg.point(x(size(result) / bytes), y(nanos(result) / nanos)))
              .collect(Collectors.joining(" "));
      svg.line(line.contestant(), line.dashes(), points);
      legend(svg, line, x(i % 2 * 0.5), LEGEND + i / 2 * LEGEND_STEP);
    }
    return svg.end();
  }

  private static void legend(Svg svg, Line line, double x, double y) {
    String points = Svg.point(x, y - 4) + " " + Svg.point(x + 32, y - 4);
    svg.line(line.contestant(), line.dashes(), points);
    svg.text("label", x + 40, y, "start", line.label());
  }

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < sweeps.size(); i++) {
      Comparison sweep = sweeps.get(i);
      String dashes = DASHES.get(i % DASHES.size());
      sweep.rows().stream()
          .map(Comparison.Row::result)
          .collect(
              Collectors.groupingBy(
                  result -> result.id().contestant(), LinkedHashMap::new, Collectors.toList()))
          .forEach(
              (name, results) ->
                  lines.add(new Line(name, name + ", " + sweep.jvm().label(), dashes, results)));
    }
    return lines;
  }

  private static double most(List<Line> lines, ToDoubleFunction<Result> value) {
    return lines.stream().flatMap(l -> l.results().stream()).mapToDouble(value).max().orElse(1);
  }

  /** The value of the only parameter. */
  private static double size(Result result) {
    return Integer.parseInt(result.id().parameters().firstEntry().getValue());
  }

  private static double nanos(Result result) {
    return result.time().value();
  }

  /** The least round number that leads to {@code most} in few steps. */
  private static double roundStep(double most) {
    double unit = Math.pow(10, Math.floor(Math.log10(most / TIME_STEPS)));
    return DoubleStream.of(unit, 2 * unit, 5 * unit)
        .filter(step -> TIME_STEPS * step >= most)
        .findFirst()
        .orElse(10 * unit);
  }

  private static String mark(double nanos) {
    return nanos == Math.rint(nanos) ? Long.toString((long) nanos) : Statistics.threeDigits(nanos);
  }

  private static double x(double part) {
    return LEFT + (RIGHT - LEFT) * part;
  }

  private static double y(double part) {
    return BOTTOM - (BOTTOM - TOP) * part;
  }
}
