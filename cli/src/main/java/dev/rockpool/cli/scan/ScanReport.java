package dev.rockpool.cli.scan;

import static dev.rockpool.cli.page.Table.printable;

import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.scan.Tally.SizeClass;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import dev.rockpool.scan.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The scan as text for the terminal, and as a page: the same sentences and tables.
 *
 * @param total of all artifacts
 * @param creating artifacts that create arenas
 */
record ScanReport(Scan scan, Tally total, List<Artifact> creating) {
  /** Meaning of the columns of the first table. */
  private static final String LEGEND =
      """
      try: closed by try-with-resources or Kotlin's use. other: closed in another way.
      holder: stored or captured where other code closes it. unknown: given to code out of sight.
      never: not closed in sight. ref: method reference or lambda. escape: returned, stored or
      captured, and not closed there. passed: to a method outside the JDK. nested: in another arena.
      """;

  private static final int EXAMPLES = 3;

  static ScanReport of(Scan scan) {
    return new ScanReport(
        scan,
        Tally.of(scan.artifacts()),
        scan.artifacts().stream().filter(artifact -> !artifact.findings().isEmpty()).toList());
  }

  /** All of it; a line for each place only if {@code sites}. */
  String text(Verdict verdict, boolean sites) {
    StringBuilder text = new StringBuilder(pooled() + "\n" + summary() + "\n");
    if (!creating.isEmpty()) {
      text.append("\n" + lives().text() + "\n" + LEGEND + "\n" + sizes().text());
      if (sites) {
        creating.forEach(artifact -> text.append("\n" + sites(artifact)));
      }
    }
    if (!scan.skipped().isEmpty()) {
      text.append("\nSkipped, because these can't be read:\n");
      skipped()
          .forEach(
              each -> text.append("  " + printable(each.name() + ": " + each.reason()) + "\n"));
    }
    if (!verdict.failures().isEmpty()) {
      text.append("\nFailed, as --fail-on says:\n");
      verdict.failureLines().forEach(line -> text.append(printable(line) + "\n"));
      text.append("Fix them, or accept them: --write-baseline FILE, then --baseline FILE.\n");
    }
    return text.toString();
  }

  Page page(String command) {
    Page page = new Page("Rockpool scan");
    page.paragraph(pooled()).paragraph(summary());
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put("Rockpool", Installation.version());
    terms.put("Command", command);
    page.terms(terms);
    if (!creating.isEmpty()) {
      page.section("Lives").paragraph(LEGEND.replace('\n', ' ')).table(lives());
      page.section("Sizes").table(sizes());
      page.section("Places");
      creating.forEach(artifact -> page.foldedTable(places(artifact)));
    }
    if (!scan.skipped().isEmpty()) {
      page.section("Skipped files")
          .table(
              Table.each(skipped())
                  .column("what", Skipped::name)
                  .column("why", Skipped::reason)
                  .words(""));
    }
    return page;
  }

  /** A sentence that says what the agent would do. */
  private String pooled() {
    if (total.all() == 0) {
      return "The agent has nothing to pool: no place creates an arena.";
    }
    int maybe = total.of(Pooling.AS_FAR_AS_IT_FITS);
    List<String> parts = new ArrayList<>();
    parts.add(
        "%d of %s %s pooled%s"
            .formatted(
                total.pooled(),
                counted(total.all(), "place", "places"),
                total.pooled() == 1 ? "is" : "are",
                maybe == 0 ? "" : " (" + maybe + " of them only up to 512 bytes)"));
    addOthers(parts, Pooling.NOT_CONFINED, "isn't confined", "aren't confined");
    addOthers(
        parts, Pooling.TOO_LARGE, "asks for more than 512 bytes", "ask for more than 512 bytes");
    addOthers(parts, Pooling.NOTHING, "asks for nothing", "ask for nothing");
    addOthers(parts, Pooling.OF_THE_JDK, "is the JDK's own", "are the JDK's own");
    return String.join("; ", parts) + ".";
  }

  private void addOthers(List<String> parts, Pooling pooling, String one, String many) {
    if (total.of(pooling) > 0) {
      parts.add(counted(total.of(pooling), one, many));
    }
  }

  private String summary() {
    int number = creating.size();
    return "Scanned %s in %s; %s of them %s arenas."
        .formatted(
            counted(scan.classes(), "class", "classes"),
            counted(scan.artifacts().size(), "artifact", "artifacts"),
            number == 0 ? "none" : number,
            number == 1 ? "creates" : "create");
  }

  private static String counted(int count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static String sites(Artifact artifact) {
    StringBuilder text = new StringBuilder(printable(artifact.name()) + "\n");
    for (Finding finding : artifact.findings()) {
      String circumstances = circumstances(finding);
      text.append(
          "  at %s  %s; %s: %s; %s%s\n"
              .formatted(
                  printable(finding.place()),
                  Pooling.of(artifact, finding).label(),
                  finding.kind().label(),
                  closed(finding),
                  circumstances.isEmpty() ? "" : circumstances + "; ",
                  bytes(finding)));
    }
    return text.toString();
  }

  private Table lives() {
    Map<String, ToIntFunction<Tally>> columns = new LinkedHashMap<>();
    columns.put("pooled", Tally::pooled);
    columns.put("confined", tally -> tally.of(ArenaKind.CONFINED));
    columns.put(
        "try", tally -> tally.of(Closing.TRY_WITH_RESOURCES) + tally.of(Closing.KOTLIN_USE));
    columns.put("other", tally -> tally.of(Closing.ALL_PATHS) + tally.of(Closing.SOME_PATHS));
    columns.put("holder", tally -> tally.of(Closing.BY_HOLDER));
    columns.put("unknown", tally -> tally.of(Closing.UNKNOWN));
    columns.put("never", tally -> tally.of(Closing.NEVER));
    columns.put("ref", tally -> tally.of(Closing.OUT_OF_SIGHT));
    columns.put("escape", tally -> tally.confined().escaping());
    columns.put("passed", tally -> tally.confined().escapes().getOrDefault(Escape.PASSED, 0));
    columns.put("nested", tally -> tally.confined().nested());
    columns.put("loop", tally -> tally.confined().inLoop());
    columns.put("shared", tally -> tally.of(ArenaKind.SHARED));
    columns.put("auto", tally -> tally.of(ArenaKind.AUTO));
    columns.put("global", tally -> tally.of(ArenaKind.GLOBAL));
    return table("Ends of confined arenas, by the place that creates them", columns);
  }

  private Table sizes() {
    Map<String, ToIntFunction<Tally>> columns = new LinkedHashMap<>();
    for (SizeClass size : SizeClass.values()) {
      columns.put(size.label, tally -> tally.of(size));
    }
    return table("Bytes that a confined arena is asked for, at most", columns);
  }

  private record Row(String name, Tally tally) {}

  /** A row for each artifact, and one for all of them. */
  private Table table(String caption, Map<String, ToIntFunction<Tally>> columns) {
    List<Row> rows = new ArrayList<>();
    creating.forEach(each -> rows.add(new Row(label(each), Tally.of(List.of(each)))));
    if (creating.size() > 1) {
      rows.add(new Row("total", total));
    }
    Table.Filled<Row> table = Table.each(rows).column("artifact", Row::name);
    columns.forEach((name, figure) -> table.column(name, row -> "" + figure.applyAsInt(row.tally)));
    return table.numbers(caption);
  }

  private static Table places(Artifact artifact) {
    return Table.each(artifact.findings())
        .column("place", Finding::place)
        .column("agent", finding -> Pooling.of(artifact, finding).label())
        .column("kind", finding -> finding.kind().label())
        .column("closed", ScanReport::closed)
        .column("circumstances", ScanReport::circumstances)
        .column("bytes", ScanReport::bytes)
        .words(artifact.name() + ": " + artifact.findings().size());
  }

  /** Nobody can close automatic and global arenas. */
  private static String closed(Finding finding) {
    return switch (finding.kind()) {
      case CONFINED, SHARED -> finding.closing().label();
      case AUTO, GLOBAL -> finding.closing() == Closing.NEVER ? "" : finding.closing().label();
    };
  }

  /** For example "passed, nested, in a loop". */
  private static String circumstances(Finding finding) {
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

  private static String bytes(Finding finding) {
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
  private List<Skipped> skipped() {
    List<Skipped> rows = new ArrayList<>();
    for (List<Skipped> alike : scan.skippedByReason()) {
      rows.addAll(alike.stream().limit(EXAMPLES).toList());
      int more = alike.size() - EXAMPLES;
      if (more > 0) {
        rows.add(new Skipped("and " + more + " more like it", alike.getFirst().reason()));
      }
    }
    return rows;
  }

  /** The name of a jar, and of the jars that it is in, without folders. */
  private static String label(Artifact artifact) {
    String name = artifact.name();
    return name.endsWith(".jar") || name.contains("!/")
        ? name.replaceAll("(^|!/)[^!]*[/\\\\]", "$1")
        : name;
  }
}
