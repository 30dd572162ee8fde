package dev.rockpool.cli.scan;

import dev.rockpool.cli.page.Page.Columns;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.scan.Tally.SizeClass;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tables that text and page share: a row for each artifact, and one for all of them. */
final class ScanTables {
  /** Skipped files that are named for each reason. */
  private static final int EXAMPLES = 3;

  private ScanTables() {}

  static Table lives(Scan scan) {
    return table(
        "Ends of confined arenas, by the place that creates them",
        scan,
        Stream.of(
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
            "global"),
        tally ->
            IntStream.of(
                tally.pooled(),
                tally.of(ArenaKind.CONFINED),
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
                tally.of(ArenaKind.GLOBAL)));
  }

  static Table sizes(Scan scan) {
    return table(
        "Bytes that a confined arena is asked for, at most",
        scan,
        Arrays.stream(SizeClass.values()).map(size -> size.label),
        tally -> Arrays.stream(SizeClass.values()).mapToInt(tally::of));
  }

  private static Table table(
      String caption, Scan scan, Stream<String> names, Function<Tally, IntStream> figures) {
    List<List<String>> rows = new ArrayList<>();
    List<Artifact> artifacts = withArenas(scan);
    for (Artifact artifact : artifacts) {
      rows.add(row(label(artifact), figures.apply(Tally.of(List.of(artifact)))));
    }
    if (artifacts.size() > 1) {
      rows.add(row("total", figures.apply(Tally.of(artifacts))));
    }
    List<String> header = Stream.concat(Stream.of("artifact"), names).toList();
    return new Table(caption, Columns.NUMBERS, header, rows);
  }

  private static List<String> row(String name, IntStream figures) {
    return Stream.concat(Stream.of(name), figures.mapToObj(String::valueOf)).toList();
  }

  /** A row for each place. */
  static Table places(Artifact artifact) {
    return new Table(
        artifact.name() + ": " + artifact.findings().size(),
        Columns.WORDS,
        List.of("place", "agent", "kind", "closed", "circumstances", "bytes"),
        artifact.findings().stream()
            .map(
                finding ->
                    List.of(
                        finding.place().toString(),
                        Pooling.of(artifact, finding).label(),
                        finding.kind().label(),
                        finding.closing().label(),
                        circumstances(finding),
                        bytes(finding)))
            .toList());
  }

  /** For example "passed, nested, in a loop". */
  static String circumstances(Finding finding) {
    List<String> words = new ArrayList<>();
    finding.escapes().forEach(escape -> words.add(escape.label()));
    if (finding.nested()) {
      words.add("nested");
    }
    if (finding.inLoop()) {
      words.add("in a loop");
    }
    if (finding.place().release() > 0) {
      words.add("from Java " + finding.place().release() + " on");
    }
    return String.join(", ", words);
  }

  static String bytes(Finding finding) {
    if (finding.bytes().isEmpty()) {
      return "bytes unknown";
    }
    long bytes = finding.bytes().getAsLong();
    return bytes == 0
        ? "asked for nothing"
        : (finding.requests().size() > 1 ? "at most " : "")
            + bytes
            + (bytes == 1 ? " byte" : " bytes");
  }

  /** Skipped files and the reason, a few for each. */
  static Table skipped(Scan scan) {
    List<List<String>> rows = new ArrayList<>();
    for (List<Skipped> alike : scan.skippedByReason()) {
      alike.stream().limit(EXAMPLES).forEach(one -> rows.add(List.of(one.name(), one.reason())));
      if (alike.size() > EXAMPLES) {
        rows.add(
            List.of(
                "and " + (alike.size() - EXAMPLES) + " more like it", alike.getFirst().reason()));
      }
    }
    return new Table("Skipped files", Columns.WORDS, List.of("what", "why"), rows);
  }

  /** Artifacts that create arenas. */
  static List<Artifact> withArenas(Scan scan) {
    return scan.artifacts().stream().filter(artifact -> !artifact.findings().isEmpty()).toList();
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
}
