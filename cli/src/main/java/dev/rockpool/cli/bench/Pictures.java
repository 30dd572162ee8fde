package dev.rockpool.cli.bench;

import dev.rockpool.cli.bench.Comparison.Row;
import dev.rockpool.cli.bench.LinePicture.Axis;
import dev.rockpool.cli.bench.LinePicture.Line;
import dev.rockpool.cli.bench.LinePicture.Point;
import dev.rockpool.cli.bench.ProgramRuns.Runs;
import dev.rockpool.cli.bench.ProgramRuns.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The pictures for documents. */
final class Pictures {
  /** A JVM is told by the kind of line. */
  private static final List<String> DASHES = List.of("none", "7 4", "2 3");

  private static final Axis CALLS =
      new Axis(
          "native calls, each with an arena of its own",
          1,
          power -> String.format(Locale.ROOT, "%,.0f", Math.pow(10, power)));

  private static final Axis SIZES =
      new Axis("size (bytes)", 8, size -> String.format(Locale.ROOT, "%.0f", size));

  private Pictures() {}

  /**
   * The processor time of a whole program by the number of its native calls: where the line of
   * Rockpool comes below the others, it has earned its start back.
   *
   * @param runs of programs that differ in that number; others are left out, as are further JVMs
   * @param note where and when, in a line
   */
  static LinePicture breakEven(List<Runs> runs, String note) {
    Map<Variant, List<Point>> points =
        runs.stream()
            .filter(each -> each.program().calls() > 0 && each.jvm().equals(runs.getFirst().jvm()))
            .collect(
                Collectors.groupingBy(
                    Runs::variant,
                    TreeMap::new,
                    Collectors.mapping(Pictures::point, Collectors.toList())));
    List<Line> lines = new ArrayList<>();
    points.forEach(
        (variant, all) -> lines.add(new Line(variant.text, variant.style, DASHES.getFirst(), all)));
    return new LinePicture(
        "A program from start to end: processor time by number of native calls",
        note,
        CALLS,
        "CPU s",
        lines);
  }

  private static Point point(Runs runs) {
    return new Point(Math.log10((double) runs.program().calls()), runs.seconds());
  }

  /**
   * The sweeps among {@code comparisons}, by file name: time by size, a picture for each kind of
   * thread, a line for each contestant on each JVM.
   */
  static Map<String, LinePicture> sweeps(List<Comparison> comparisons, String note) {
    Map<String, LinePicture> pictures = new LinkedHashMap<>();
    comparisons.stream()
        .filter(comparison -> comparison.key().sweep())
        .collect(
            Collectors.groupingBy(
                each -> each.key().conditions(), LinkedHashMap::new, Collectors.toList()))
        .forEach(
            (kind, sweeps) -> {
              String title =
                  "One allocation in one arena, on a %s thread"
                      .formatted(kind.isEmpty() ? "platform" : kind);
              pictures.put(
                  kind.isEmpty() ? "sweep.svg" : "sweep-" + kind + ".svg",
                  new LinePicture(title, note, SIZES, "ns/op", lines(sweeps)));
            });
    return pictures;
  }

  private static List<Line> lines(List<Comparison> sweeps) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < sweeps.size(); i++) {
      String jvm = ", " + sweeps.get(i).key().jvm().label();
      String dashes = DASHES.get(i % DASHES.size());
      sweeps.get(i).rows().stream()
          .collect(Collectors.groupingBy(Row::contestant, LinkedHashMap::new, Collectors.toList()))
          .forEach(
              (name, rows) ->
                  lines.add(
                      new Line(
                          name + jvm, name, dashes, rows.stream().map(Pictures::point).toList())));
    }
    return lines;
  }

  /** The size is the only parameter. */
  private static Point point(Row row) {
    String size = row.result().parameters().firstEntry().getValue();
    return new Point(Integer.parseInt(size), row.result().time().value());
  }
}
