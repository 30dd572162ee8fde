package dev.rockpool.cli.bench;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import dev.rockpool.cli.bench.Result.Ratio;
import dev.rockpool.cli.page.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Results that belong together: one workload, in one kind of JVM and thread.
 *
 * @param conditions the kind of JVM and thread, empty for the usual one
 * @param rows by JVM, parameters, and contestant; JVMs and parameters in the order in which they
 *     first come up, which is that of the benchmark
 */
record Group(boolean sweep, String workload, String conditions, List<Row> rows) {
  /** The order of contestants; others come after them. */
  private static final List<String> ORDER =
      List.of(
          Result.JDK, "agent", "opened", "rockpool", "ownPool", "threadLocalPool", "lwjglStack");

  /** Contestants that do less than the work: a floor, which nobody competes with. */
  private static final Set<String> FLOORS = Set.of("nothing", "callOnly");

  /**
   * A result beside that of the JDK's own arena.
   *
   * @param jdk the JDK's arena on the same JVM with the same parameters, or null if it was not
   *     measured, and for results that can't be compared with it
   */
  record Row(Result result, @Nullable Result jdk) {
    String contestant() {
      return result.contestant();
    }

    /** The parameters in one line, such as {@code size=5}. */
    String parameters() {
      return result.parameters().entrySet().stream().map(Object::toString).collect(joining(" "));
    }

    /** The ratio to the JDK's arena, or null if there is none to compare with. */
    @Nullable Ratio ratio() {
      return jdk == null ? null : Ratio.of(jdk.time(), result.time());
    }
  }

  static List<Group> of(List<Result> results) {
    return results.stream()
        .collect(groupingBy(result -> title(result), LinkedHashMap::new, toList()))
        .values()
        .stream()
        .map(
            all -> {
              Result first = all.getFirst();
              return new Group(first.sweep(), first.workload(), first.mode().conditions, rows(all));
            })
        .sorted(
            comparing(Group::sweep).thenComparing(Group::workload).thenComparing(Group::conditions))
        .toList();
  }

  private static String title(Result result) {
    String conditions = result.mode().conditions;
    return result.workload()
        + (result.sweep() ? ", each size" : "")
        + (conditions.isEmpty() ? "" : ", " + conditions);
  }

  String title() {
    return title(rows.getFirst().result());
  }

  List<Jvm> jvms() {
    return rows.stream().map(row -> row.result().jvm()).distinct().toList();
  }

  private static List<Row> rows(List<Result> results) {
    List<Jvm> jvms = results.stream().map(Result::jvm).distinct().toList();
    List<SortedMap<String, String>> parameters =
        results.stream().map(Result::parameters).distinct().toList();
    return results.stream()
        .map(result -> new Row(result, jdk(result, results)))
        .sorted(
            comparingInt((Row row) -> jvms.indexOf(row.result().jvm()))
                .thenComparingInt(row -> parameters.indexOf(row.result().parameters()))
                .thenComparingInt(row -> rank(row.contestant()))
                .thenComparing(Row::contestant))
        .toList();
  }

  private static @Nullable Result jdk(Result result, List<Result> all) {
    return result.contestant().equals(Result.JDK) || FLOORS.contains(result.contestant())
        ? null
        : all.stream()
            .filter(other -> other.contestant().equals(Result.JDK))
            .filter(other -> other.jvm().equals(result.jvm()))
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
    Set<Result> shown =
        rows.stream().flatMap(row -> Stream.ofNullable(row.jdk())).collect(Collectors.toSet());
    Table.Filled<Row> table =
        Table.each(rows.stream().filter(row -> !shown.contains(row.result())).toList())
            .column("contestant", Row::contestant);
    if (jvms().size() > 1) {
      table.column("on", row -> row.result().jvm().label());
    }
    for (String name : parameterNames()) {
      table.column(name, row -> row.result().parameters().getOrDefault(name, "-"));
    }
    return table
        .column("ns/op", row -> row.result().time().text())
        .column("jdk ns/op", row -> row.jdk() == null ? "-" : row.jdk().time().text())
        .column("ratio", row -> row.ratio() == null ? "-" : row.ratio().text())
        .column("B/op", row -> row.result().garbage())
        .column("jdk B/op", row -> row.jdk() == null ? "-" : row.jdk().garbage())
        .numbers(title() + jvms().stream().map(Jvm::label).collect(joining(" and ", " on ", "")));
  }

  /** Lines that say where in a sweep each contestant gains the least and the most. */
  List<String> extremes() {
    List<String> lines = new ArrayList<>();
    rows.stream()
        .filter(row -> sweep && row.jdk() != null)
        .collect(
            groupingBy(
                row -> row.contestant() + " on " + row.result().jvm().label(),
                TreeMap::new,
                toList()))
        .forEach(
            (name, all) -> {
              List<Row> sorted =
                  all.stream().sorted(comparingDouble(row -> ratioOf(row).value())).toList();
              lines.add(
                  name + ": least " + at(sorted.getFirst()) + ", most " + at(sorted.getLast()));
            });
    return lines;
  }

  private static String at(Row row) {
    return ratioOf(row).text() + " at " + row.parameters();
  }

  private static Ratio ratioOf(Row row) {
    return Objects.requireNonNull(row.ratio());
  }
}
