package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.Tally.SizeClass;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** The tables that text and page share: a row for each artifact, and one for all of them. */
final class ScanTables {
  static final String LIVES = "Ends of confined arenas, by the place that creates them";
  static final String SIZES = "Bytes that a confined arena is asked for, at most";

  static final List<String> LIVES_HEADER =
      List.of(
          "artifact",
          "pooled",
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

  /** Skipped files that are named for each reason. */
  private static final int EXAMPLES = 3;

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
    List<Artifact> artifacts = withArenas(scan);
    artifacts.forEach(artifact -> rows.add(row.apply(label(artifact), Tally.of(artifact))));
    if (artifacts.size() > 1) {
      rows.add(row.apply("total", Tally.of(scan)));
    }
    return rows;
  }

  /** Artifacts that create arenas. */
  static List<Artifact> withArenas(Scan scan) {
    return scan.artifacts().stream().filter(artifact -> !artifact.findings().isEmpty()).toList();
  }

  /** Rows of what and why, a few for each reason. */
  static List<List<String>> skipped(Scan scan) {
    List<List<String>> rows = new ArrayList<>();
    for (List<Skipped> alike : scan.skippedByReason()) {
      alike.stream().limit(EXAMPLES).forEach(one -> rows.add(List.of(one.name(), one.reason())));
      if (alike.size() > EXAMPLES) {
        rows.add(
            List.of(
                "and " + (alike.size() - EXAMPLES) + " more like it", alike.getFirst().reason()));
      }
    }
    return rows;
  }

  /** The name without folders. */
  private static String label(Artifact artifact) {
    String name = artifact.name();
    int inner = name.indexOf("!/");
    if (inner >= 0) {
      return fileName(name.substring(0, inner)) + "!" + name.substring(name.lastIndexOf('/'));
    }
    return name.endsWith(".jar") ? fileName(name) : name;
  }

  private static String fileName(String path) {
    Path name = Path.of(path).getFileName();
    return name == null ? path : name.toString();
  }

  private static List<String> lives(String name, Tally tally) {
    return row(
        name,
        tally.pooled(),
        tally.confined(),
        tally.structured(),
        tally.otherwise(),
        tally.of(Closing.NEVER),
        tally.of(Closing.OUT_OF_SIGHT),
        tally.escaping(),
        tally.of(Escape.PASSED),
        tally.nested(),
        tally.inLoop(),
        tally.of(ArenaKind.SHARED),
        tally.of(ArenaKind.AUTO),
        tally.of(ArenaKind.GLOBAL));
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
