package dev.rockpool.cli.scan;

import static dev.rockpool.cli.page.Table.printable;
import static dev.rockpool.cli.scan.ScanTables.bytes;
import static dev.rockpool.cli.scan.ScanTables.circumstances;

import dev.rockpool.scan.Finding;
import dev.rockpool.scan.Pooling;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Scan.Artifact;
import dev.rockpool.scan.Verdict;
import dev.rockpool.scan.Verdict.Failure;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The scan as text, for the terminal. */
final class ScanText {
  private ScanText() {}

  /** All of it; a line for each place only if {@code sites}. */
  static String text(Scan scan, Verdict verdict, boolean sites) {
    StringBuilder text = new StringBuilder();
    text.append(pooled(scan)).append('\n').append(summary(scan)).append('\n');
    if (!ScanTables.withArenas(scan).isEmpty()) {
      text.append('\n').append(ScanTables.lives(scan).text());
      text.append('\n').append(ScanTables.sizes(scan).text());
      if (sites) {
        ScanTables.withArenas(scan).forEach(artifact -> text.append('\n').append(sites(artifact)));
      }
    }
    if (!scan.skipped().isEmpty()) {
      text.append("\nSkipped, because these can't be read:\n");
      ScanTables.skipped(scan)
          .rows()
          .forEach(row -> text.append("  ").append(printable(String.join(": ", row))).append('\n'));
    }
    if (!verdict.failures().isEmpty()) {
      text.append("\nFailed, as --fail-on says:\n");
      for (Failure failure : verdict.failures()) {
        text.append("  at ").append(printable(failure)).append('\n');
      }
      text.append("Fix them, or accept them: --write-baseline FILE, then --baseline FILE.\n");
    }
    return text.toString();
  }

  /** A line that says what the agent would do. */
  static String pooled(Scan scan) {
    Tally tally = Tally.of(scan.artifacts());
    if (tally.all() == 0) {
      return "The agent has nothing to pool: no place creates an arena.";
    }
    int maybe = tally.of(Pooling.AS_FAR_AS_IT_FITS);
    String not =
        Arrays.stream(Pooling.values())
            .filter(pooling -> !pooling.isPooled() && tally.of(pooling) > 0)
            .map(pooling -> tally.of(pooling) + " (" + pooling.label() + ")")
            .collect(Collectors.joining(", "));
    return "The agent pools the arenas of "
        + tally.pooled()
        + " of "
        + counted(tally.all(), "place", "places")
        + (maybe == 0 ? "" : " (of " + maybe + " as far as they ask for at most 8 KiB)")
        + (not.isEmpty() ? "" : "; not those of " + not)
        + ".";
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

  private static String sites(Artifact artifact) {
    StringBuilder text = new StringBuilder(printable(artifact.name())).append('\n');
    for (Finding finding : artifact.findings()) {
      text.append("  at ").append(printable(finding.place())).append("  ");
      text.append(Pooling.of(artifact, finding).label()).append("; ");
      text.append(finding.kind().label()).append(": ").append(finding.closing().label());
      String circumstances = circumstances(finding);
      text.append(circumstances.isEmpty() ? "" : "; " + circumstances);
      text.append("; ").append(bytes(finding)).append('\n');
    }
    return text.toString();
  }
}
