package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.flow.Closing;
import dev.rockpool.cli.scan.flow.Escape;
import dev.rockpool.cli.scan.flow.Factory;
import dev.rockpool.cli.scan.source.Skipped;
import dev.rockpool.cli.support.TextTable;
import java.util.List;

/** The scan as text, for the terminal. */
final class ScanText {
  private static final String TOTAL = "total";

  private ScanText() {}

  static String text(Scan scan, boolean sites) {
    StringBuilder text = new StringBuilder();
    List<Artifact> artifacts = scan.withArenas();
    text.append(summary(scan)).append('\n');
    if (!artifacts.isEmpty()) {
      text.append("\nWhat becomes of confined arenas, by the place that creates them\n\n");
      text.append(lives(scan, artifacts));
      text.append("\nBytes that a confined arena is asked for\n\n");
      text.append(sizes(scan, artifacts));
      if (sites) {
        artifacts.forEach(artifact -> text.append('\n').append(sites(artifact)));
      }
      Claim.tested(scan.total()).forEach(claim -> text.append('\n').append(claim(claim)));
    }
    if (!scan.skipped().isEmpty()) {
      text.append("\nSkipped, as it can't be read:\n");
      for (Skipped skipped : scan.skipped()) {
        text.append("  ").append(skipped.name()).append(": ").append(skipped.reason()).append('\n');
      }
    }
    return text.toString();
  }

  static String summary(Scan scan) {
    return "Scanned "
        + counted(scan.classes(), "class", "classes")
        + " in "
        + counted(scan.artifacts().size(), "artifact", "artifacts")
        + "; "
        + (scan.withArenas().isEmpty() ? "none" : String.valueOf(scan.withArenas().size()))
        + " of them "
        + (scan.withArenas().size() == 1 ? "creates" : "create")
        + " arenas.";
  }

  private static String counted(int count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static String lives(Scan scan, List<Artifact> artifacts) {
    TextTable table =
        new TextTable(
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
    artifacts.forEach(artifact -> table.row(lives(artifact.label(), artifact.tally())));
    if (artifacts.size() > 1) {
      table.row(lives(TOTAL, scan.total()));
    }
    return table.toString();
  }

  private static String[] lives(String name, Tally tally) {
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

  private static String sizes(Scan scan, List<Artifact> artifacts) {
    SizeClass[] sizes = SizeClass.values();
    String[] header = new String[sizes.length + 1];
    header[0] = "artifact";
    for (SizeClass size : sizes) {
      header[size.ordinal() + 1] = size.label();
    }
    TextTable table = new TextTable(header);
    artifacts.forEach(artifact -> table.row(sizes(artifact.label(), artifact.tally())));
    if (artifacts.size() > 1) {
      table.row(sizes(TOTAL, scan.total()));
    }
    return table.toString();
  }

  private static String[] sizes(String name, Tally tally) {
    int[] figures = new int[SizeClass.values().length];
    for (SizeClass size : SizeClass.values()) {
      figures[size.ordinal()] = tally.of(size);
    }
    return row(name, figures);
  }

  private static String[] row(String name, int... figures) {
    String[] row = new String[figures.length + 1];
    row[0] = name;
    for (int i = 0; i < figures.length; i++) {
      row[i + 1] = String.valueOf(figures[i]);
    }
    return row;
  }

  private static String sites(Artifact artifact) {
    StringBuilder text = new StringBuilder(artifact.name()).append('\n');
    for (Finding finding : artifact.findings()) {
      text.append("  at ").append(finding.location()).append("  ");
      text.append(SiteText.of(finding)).append('\n');
    }
    return text.toString();
  }

  private static String claim(Claim claim) {
    return "Claim: " + claim.text() + ".\n  " + claim.verdict() + " - " + claim.figures() + "\n";
  }
}
