package dev.rockpool.bench.command;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.rockpool.bench.command.Picture.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Figures, each beside that of the JDK's arena.
 *
 * @param machine where they were measured, without which they mean little
 * @param failures a line for each figure that is missing
 */
record Report(String machine, List<Figure> figures, List<String> failures) {
  private static final String LEGEND =
      """
      These numbers are data, not conclusions: they hold for this machine, these JVMs and these
      loops. Repeat them before you rely on them.

      ns/op  mean time of an operation, ± half of its 99.9 % confidence interval
      ratio  the time of jdk divided by that of the contestant, measured in the same run: more than
             1x is faster than the JDK's arena; ~ means that the intervals overlap
      B/op   bytes of garbage on the heap

      jdk              the JDK's Arena.ofConfined()
      agent            the same source under Rockpool's agent
      rockpool         Rockpool's Arenas.ofConfined()
      opened           the same with java.lang opened to it: virtual threads use their carrier's
                       blocks
      ownPool          an ArenaPool of the program's own
      threadLocalPool  a thread-local pool written by hand
      lwjglStack       LWJGL's MemoryStack, which checks neither lifetime nor thread
      reusedSegment    the JDK's prefixAllocator over one segment: not zeroed, nor closed
      slicingAllocator the JDK's slicingAllocator over one segment: the same
      callOnly         no arena: the call alone
      nothing          no arena: JMH's loop alone
      """;

  /** Contestants of a sweep, with their colors. */
  private static final Map<String, Integer> COLORS =
      Map.of("rockpool", 1, "agent", 2, Figure.JDK, 4, "opened", 7);

  /** The JDK's arena itself, and contestants that do less than the work. */
  private static final Set<String> UNCOMPARED = Set.of(Figure.JDK, "nothing", "callOnly");

  /** One workload on one kind of thread, by parameters in the order of the benchmark. */
  private List<List<Figure>> groups() {
    Map<String, List<Figure>> groups =
        figures.stream().collect(groupingBy(Report::title, TreeMap::new, toList()));
    return groups.values().stream()
        .map(
            group -> {
              List<SortedMap<String, String>> parameters = distinctParameters(group);
              return group.stream()
                  .sorted(
                      comparingInt((Figure figure) -> parameters.indexOf(figure.parameters()))
                          .thenComparing(comparing(Figure::contestant)))
                  .toList();
            })
        .toList();
  }

  private static String title(Figure figure) {
    return figure.workload() + (figure.thread().isEmpty() ? "" : ", " + figure.thread());
  }

  private static List<SortedMap<String, String>> distinctParameters(List<Figure> group) {
    return group.stream().map(Figure::parameters).distinct().toList();
  }

  /** The figure of the JDK's arena; empty where it was not measured, and for itself. */
  private static Optional<Figure> baselineOf(Figure figure, List<Figure> group) {
    return group.stream()
        .filter(_ -> !UNCOMPARED.contains(figure.contestant()))
        .filter(other -> other.contestant().equals(Figure.JDK))
        .filter(other -> other.parameters().equals(figure.parameters()))
        .findFirst();
  }

  /** A row for each contestant but the JDK's arena, which stands in all the others. */
  private static String table(List<Figure> group) {
    List<String> parameters = List.copyOf(group.getFirst().parameters().keySet());
    List<String> header = new ArrayList<>(List.of("contestant"));
    header.addAll(parameters);
    header.addAll(List.of("ns/op", "jdk ns/op", "ratio", "B/op", "jdk B/op"));
    List<List<String>> rows = new ArrayList<>(List.of(header));
    List<Figure> shown =
        group.stream().flatMap(figure -> baselineOf(figure, group).stream()).toList();
    for (Figure figure : group) {
      if (!shown.contains(figure)) {
        @Nullable Figure jdk = baselineOf(figure, group).orElse(null);
        List<String> row = new ArrayList<>(List.of(figure.contestant()));
        parameters.forEach(name -> row.add(figure.parameters().getOrDefault(name, "-")));
        row.add(figure.time());
        row.add(jdk == null ? "-" : jdk.time());
        row.add(jdk == null ? "-" : figure.ratio(jdk));
        row.add(figure.bytes());
        row.add(jdk == null ? "-" : jdk.bytes());
        rows.add(row);
      }
    }
    return title(group.getFirst()) + "\n\n" + Table.text(rows);
  }

  String text() {
    StringBuilder text =
        new StringBuilder("Rockpool " + Machine.rockpool() + ", " + machine + "\n\n" + LEGEND);
    groups().forEach(group -> text.append("\n" + table(group)));
    failures.forEach(line -> text.append("\nFailed: " + line + "\n"));
    return text.toString();
  }

  /** Draws the median time by size for each kind of thread: sweep.svg, sweep-virtual.svg. */
  void drawSweep(Path folder) throws IOException {
    for (List<Figure> group : groups()) {
      List<SortedMap<String, String>> parameters = distinctParameters(group);
      List<String> sizes =
          parameters.stream().map(each -> String.join(", ", each.values())).toList();
      Map<String, Line> lines = new LinkedHashMap<>();
      for (Figure figure : group) {
        String name = figure.contestant();
        double[] values =
            lines
                .computeIfAbsent(
                    name, _ -> Line.empty(name, COLORS.getOrDefault(name, 7), sizes.size()))
                .values();
        values[parameters.indexOf(figure.parameters())] = figure.median();
      }
      String thread = group.getFirst().thread();
      Picture picture =
          new Picture(
              "One allocation in one arena, on a "
                  + (thread.isEmpty() ? "platform" : thread)
                  + " thread",
              machine,
              "size (bytes)",
              "ns/op",
              sizes,
              List.copyOf(lines.values()));
      Files.writeString(
          folder.resolve(thread.isEmpty() ? "sweep.svg" : "sweep-" + thread + ".svg"),
          picture.svg());
    }
  }
}
