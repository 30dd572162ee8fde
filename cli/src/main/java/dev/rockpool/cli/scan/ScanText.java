package dev.rockpool.cli.scan;

import dev.rockpool.cli.support.TextTable;
import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Scan.Skipped;
import java.util.List;

/** The scan as text, for the terminal. */
final class ScanText {
  private ScanText() {}

  /** All of it; a line for each place only if {@code sites}. */
  static String text(Scan scan, boolean sites) {
    StringBuilder text = new StringBuilder();
    text.append(summary(scan)).append('\n');
    if (!ScanTables.withArenas(scan).isEmpty()) {
      text.append('\n').append(ScanTables.LIVES).append("\n\n");
      text.append(table(ScanTables.LIVES_HEADER, ScanTables.lives(scan)));
      text.append('\n').append(ScanTables.SIZES).append("\n\n");
      text.append(table(ScanTables.sizesHeader(), ScanTables.sizes(scan)));
      if (sites) {
        ScanTables.withArenas(scan).forEach(artifact -> text.append('\n').append(sites(artifact)));
      }
    }
    if (!scan.skipped().isEmpty()) {
      text.append("\nSkipped, as it can't be read:\n");
      for (Skipped skipped : scan.skipped()) {
        text.append("  ").append(skipped.name()).append(": ").append(skipped.reason()).append('\n');
      }
    }
    return text.toString();
  }

  /** A sentence that says what there was. */
  static String summary(Scan scan) {
    int creating = ScanTables.withArenas(scan).size();
    return "Scanned "
        + counted(scan.classes(), "class", "classes")
        + " in "
        + counted(scan.artifacts().size(), "artifact", "artifacts")
        + "; "
        + (creating == 0 ? "none" : String.valueOf(creating))
        + " of them "
        + (creating == 1 ? "creates" : "create")
        + " arenas.";
  }

  private static String counted(int count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static String table(List<String> header, List<List<String>> rows) {
    TextTable table = new TextTable(header.toArray(String[]::new));
    rows.forEach(row -> table.row(row.toArray(String[]::new)));
    return table.toString();
  }

  private static String sites(Artifact artifact) {
    StringBuilder text = new StringBuilder(artifact.name()).append('\n');
    for (Finding finding : artifact.findings()) {
      text.append("  at ").append(finding.place()).append("  ");
      text.append(SiteText.of(finding)).append('\n');
    }
    return text.toString();
  }
}
