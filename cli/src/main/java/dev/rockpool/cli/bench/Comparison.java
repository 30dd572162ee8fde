package dev.rockpool.cli.bench;

import dev.rockpool.cli.bench.Score.Ratio;
import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.page.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Results that may be compared: one workload, in one kind of JVM and thread, in one run.
 *
 * @param key what makes them comparable
 * @param rows the results, by parameters and then by contestant
 */
record Comparison(Key key, List<Row> rows) {
  private static final String NONE = "-";

  /** The order of contestants; others come after them. */
  private static final List<String> ORDER =
      List.of(
          Result.JDK,
          "agent",
          "opened",
          Result.ROCKPOOL,
          Result.OWN_POOL,
          "threadLocalPool",
          "lwjglStack");

  /** Contestants that do less than the work: a floor, which nobody competes with. */
  private static final Set<String> FLOORS = Set.of("nothing", "callOnly");

  /**
   * A result beside that of the JDK's own arena.
   *
   * @param result the result
   * @param jdk the JDK's arena in the same run, or null if it was not measured, and for results
   *     that can't be compared with it
   */
  record Row(Result result, @Nullable Result jdk) {
    String contestant() {
      return result.contestant();
    }

    /** How many times as fast as the JDK's arena, or null if there is none to compare with. */
    @Nullable Ratio ratio() {
      return jdk == null ? null : Ratio.of(jdk.time(), result.time());
    }
  }

  /** The part, workload, kind of JVM and thread, and JVM of all that may be compared. */
  record Key(boolean sweep, String workload, String conditions, Jvm jvm) {
    static Key of(Result result) {
      return new Key(result.sweep(), result.workload(), result.mode().conditions(), result.jvm());
    }

    /** All of it but the JVM, in a line. */
    String text() {
      return workload
          + (sweep ? ", each size" : "")
          + (conditions.isEmpty() ? "" : ", " + conditions);
    }
  }

  /** Puts {@code results} together; the JVMs stay in the order in which they first come up. */
  static List<Comparison> of(List<Result> results) {
    return results.stream()
        .collect(Collectors.groupingBy(Key::of, LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(group -> new Comparison(group.getKey(), rows(group.getValue())))
        .sorted(
            Comparator.<Comparison, Boolean>comparing(each -> each.key.sweep)
                .thenComparing(each -> each.key.workload)
                .thenComparing(each -> each.key.conditions))
        .toList();
  }

  /** Parameters stay in the order in which they first come up, which is that of the benchmark. */
  private static List<Row> rows(List<Result> results) {
    List<SortedMap<String, String>> order =
        results.stream().map(Result::parameters).distinct().toList();
    return results.stream()
        .map(result -> new Row(result, jdk(result, results)))
        .sorted(
            Comparator.<Row>comparingInt(row -> order.indexOf(row.result().parameters()))
                .thenComparingInt(row -> rank(row.contestant()))
                .thenComparing(Row::contestant))
        .toList();
  }

  private static @Nullable Result jdk(Result result, List<Result> all) {
    return result.contestant().equals(Result.JDK) || FLOORS.contains(result.contestant())
        ? null
        : all.stream()
            .filter(other -> other.contestant().equals(Result.JDK))
            .filter(other -> other.parameters().equals(result.parameters()))
            .findFirst()
            .orElse(null);
  }

  private static int rank(String contestant) {
    int index = ORDER.indexOf(contestant);
    return index < 0 ? ORDER.size() : index;
  }

  List<String> parameterNames() {
    return rows.stream()
        .flatMap(row -> row.result().parameters().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  /** A row for each contestant but the JDK's arena, which stands in all the others. */
  Table table() {
    List<String> header =
        Stream.of(
                Stream.of("contestant"),
                parameterNames().stream(),
                Stream.of("ns/op", "jdk ns/op", "ratio", "B/op", "jdk B/op"))
            .flatMap(names -> names)
            .toList();
    Set<Result> shown =
        rows.stream().flatMap(row -> Stream.ofNullable(row.jdk())).collect(Collectors.toSet());
    return new Table(
        key.text() + " on " + key.jvm.label(),
        Columns.NUMBERS,
        header,
        rows.stream().filter(row -> !shown.contains(row.result())).map(this::cells).toList());
  }

  private List<String> cells(Row row) {
    List<String> cells = new ArrayList<>();
    cells.add(row.contestant());
    Map<String, String> parameters = row.result().parameters();
    parameterNames().forEach(name -> cells.add(parameters.getOrDefault(name, NONE)));
    Optional<Result> jdk = Optional.ofNullable(row.jdk());
    cells.add(row.result().time().text());
    cells.add(jdk.map(result -> result.time().text()).orElse(NONE));
    cells.add(Optional.ofNullable(row.ratio()).map(Ratio::text).orElse(NONE));
    cells.add(row.result().garbage().bytesText());
    cells.add(jdk.map(result -> result.garbage().bytesText()).orElse(NONE));
    return cells;
  }

  /** Lines that say where in a sweep each contestant gains the least and the most. */
  List<String> extremes() {
    if (!key.sweep) {
      return List.of();
    }
    return rows.stream()
        .filter(row -> row.jdk() != null)
        .collect(Collectors.groupingBy(Row::contestant, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(entry -> entry.getKey() + ": " + extremes(entry.getValue()))
        .toList();
  }

  private static String extremes(List<Row> rows) {
    List<Row> sorted =
        rows.stream().sorted(Comparator.comparingDouble(row -> ratioOf(row).value())).toList();
    return "least " + at(sorted.getFirst()) + ", most " + at(sorted.getLast());
  }

  private static String at(Row row) {
    return ratioOf(row).text() + " at " + row.result().parameterText();
  }

  private static Ratio ratioOf(Row row) {
    return Objects.requireNonNull(row.ratio());
  }
}
