package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.flow.Closing;
import dev.rockpool.cli.scan.flow.Escape;
import dev.rockpool.cli.scan.flow.Factory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** The tables that text and page share: a row for each artifact, and one for all of them. */
final class ScanTables {
  static final String LIVES = "What becomes of confined arenas, by the place that creates them";
  static final String SIZES = "Bytes that a confined arena is asked for, at most";

  static final List<String> LIVES_HEADER =
      List.of(
          "artifact",
          "confined",
          "try",
          "other",
          "never",
          "ref",
          "escape",
          "passed",
          "nested",
          "loop",
          "shared",
          "auto",
          "global");

  private ScanTables() {}

  static List<String> sizesHeader() {
    List<String> header = new ArrayList<>(List.of("artifact"));
    Arrays.stream(SizeClass.values()).map(SizeClass::label).forEach(header::add);
    return header;
  }

  static List<List<String>> lives(Scan scan) {
    return rows(scan, ScanTables::lives);
  }

  static List<List<String>> sizes(Scan scan) {
    return rows(scan, ScanTables::sizes);
  }

  private static List<List<String>> rows(Scan scan, BiFunction<String, Tally, List<String>> row) {
    List<List<String>> rows = new ArrayList<>();
    List<Artifact> artifacts = scan.withArenas();
    artifacts.forEach(artifact -> rows.add(row.apply(artifact.label(), artifact.tally())));
    if (artifacts.size() > 1) {
      rows.add(row.apply("total", scan.total()));
    }
    return rows;
  }

  static List<String> lives(String name, Tally tally) {
    return row(
        name,
        tally.confined(),
        tally.structured(),
        tally.otherwise(),
        tally.of(Closing.NEVER),
        tally.of(Closing.OUT_OF_SIGHT),
        tally.escaping(),
        tally.of(Escape.PASSED),
        tally.nested(),
        tally.inLoop(),
        tally.of(Factory.SHARED),
        tally.of(Factory.AUTO),
        tally.of(Factory.GLOBAL));
  }

  private static List<String> sizes(String name, Tally tally) {
    return row(name, Arrays.stream(SizeClass.values()).mapToInt(tally::of).toArray());
  }

  private static List<String> row(String name, int... figures) {
    List<String> row = new ArrayList<>(List.of(name));
    Arrays.stream(figures).mapToObj(String::valueOf).forEach(row::add);
    return row;
  }
}
