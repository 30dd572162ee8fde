package dev.rockpool.cli.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Results that may be compared: one workload, in one kind of JVM and thread, in one run.
 *
 * @param workload what is done
 * @param conditions in what kind of JVM and on what kind of thread, or empty for the usual ones
 * @param jvm on which
 * @param part in which part of the program
 * @param rows the results, by parameters and then by contestant
 */
record Comparison(String workload, String conditions, Jvm jvm, Result.Part part, List<Row> rows) {
  /** The order of contestants; others come after them. */
  private static final List<String> ORDER =
      List.of(
          BenchmarkId.JDK,
          BenchmarkId.AGENT,
          BenchmarkId.OPENED,
          BenchmarkId.ROCKPOOL,
          BenchmarkId.OWN_POOL,
          "threadLocalPool",
          "lwjglStack");

  /** These do less than the work: a floor, which nobody competes with. */
  private static final Set<String> FLOORS = Set.of("nothing", "callOnly");

  private static final Comparator<Row> BY_PARAMETERS =
      Comparator.comparing(row -> row.result().id().parameters(), Comparison::compareParameters);

  private static final Comparator<Row> BY_CONTESTANT =
      Comparator.<Row>comparingInt(row -> rank(row.result().id().contestant()))
          .thenComparing(row -> row.result().id().contestant());

  /**
   * A result beside that of the JDK's own arena.
   *
   * @param result the result
   * @param jdk what the JDK's arena took for the same in the same run, or null if it was not
   *     measured, and for what can't be compared with it
   */
  record Row(Result result, @Nullable Result jdk) {
    /** How many times as fast as the JDK's arena, or null if there is none to compare with. */
    @Nullable Ratio ratio() {
      return jdk == null ? null : Ratio.of(jdk.time(), result.time());
    }
  }

  /** What makes results comparable. */
  private record Key(String workload, String conditions, Jvm jvm, Result.Part part) {
    static Key of(Result result) {
      BenchmarkId id = result.id();
      return new Key(id.workload(), id.conditions(), result.jvm(), result.part());
    }
  }

  /** Puts {@code results} together, in the order in which each comparison first comes up. */
  static List<Comparison> of(List<Result> results) {
    Map<Key, List<Result>> groups = new LinkedHashMap<>();
    for (Result result : results) {
      groups.computeIfAbsent(Key.of(result), _ -> new ArrayList<>()).add(result);
    }
    return groups.entrySet().stream()
        .map(group -> comparison(group.getKey(), group.getValue()))
        .sorted(
            Comparator.comparing(Comparison::part)
                .thenComparing(Comparison::workload)
                .thenComparing(Comparison::conditions))
        .toList();
  }

  private static Comparison comparison(Key key, List<Result> results) {
    Map<SortedMap<String, String>, Result> jdk = new LinkedHashMap<>();
    for (Result result : results) {
      if (result.id().contestant().equals(BenchmarkId.JDK)) {
        jdk.put(result.id().parameters(), result);
      }
    }
    List<Row> rows =
        results.stream()
            .map(
                result ->
                    new Row(
                        result,
                        isCompared(result.id().contestant())
                            ? jdk.get(result.id().parameters())
                            : null))
            .sorted(BY_PARAMETERS.thenComparing(BY_CONTESTANT))
            .toList();
    return new Comparison(key.workload(), key.conditions(), key.jvm(), key.part(), rows);
  }

  private static boolean isCompared(String contestant) {
    return !contestant.equals(BenchmarkId.JDK) && !FLOORS.contains(contestant);
  }

  private static int rank(String contestant) {
    int index = ORDER.indexOf(contestant);
    return index < 0 ? ORDER.size() : index;
  }

  /** Numbers by their size, everything else by its letters. */
  private static int compareParameters(SortedMap<String, String> a, SortedMap<String, String> b) {
    for (Map.Entry<String, String> entry : a.entrySet()) {
      String left = entry.getValue();
      String right = b.getOrDefault(entry.getKey(), "");
      int order =
          isNumber(left) && isNumber(right)
              ? Long.compare(Long.parseLong(left), Long.parseLong(right))
              : left.compareTo(right);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static boolean isNumber(String text) {
    return text.matches("[0-9]{1,18}");
  }

  /** What is compared and where, in a line. */
  String title() {
    String what = part == Result.Part.SWEEP ? workload + ", each size" : workload;
    return (conditions.isEmpty() ? what : what + ", " + conditions) + " on " + jvm.label();
  }
}
