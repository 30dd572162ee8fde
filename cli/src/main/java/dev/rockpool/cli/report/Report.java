package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.Site;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of all forms of the report.
 *
 * @param all figures of all arenas
 * @param holders the call sites that hold native memory, those with the most live bytes first
 * @param gain by the pool, at most; null if it was not measured
 * @param unmeasured why it was not; otherwise empty
 */
record Report(
    Merge merge, ArenaFigures all, List<Holder> holders, @Nullable Gain gain, String unmeasured) {
  /** A report without a measurement. */
  static Report of(Merge merge, String unmeasured) {
    Figures figures = merge.figures();
    return new Report(merge, figures.all(), figures.holders().all(), null, unmeasured);
  }

  Report with(Saving saving) {
    return new Report(merge, all, holders, Gain.of(this, saving), "");
  }

  Figures figures() {
    return merge.figures();
  }

  /** Returns all call sites of confined arenas, those that opened most first. */
  List<Site> sites() {
    return figures().sites().values().stream()
        .sorted(Comparator.<Site>comparingLong(site -> -site.arenas()).thenComparing(Site::site))
        .toList();
  }

  /** Returns in a sentence what was read. */
  String summary() {
    int skipped = merge.skipped().size();
    int partly = merge.partly().size();
    return "Merged %s of %s: %s closed in %s of recording.%s%s"
        .formatted(
            Numbers.counted(merge.sources().size(), "recording"),
            Numbers.counted(figures().jvms(), "JVM"),
            Numbers.counted(all.arenas(), "confined arena"),
            Numbers.time(figures().recordedNanos()),
            skipped == 0 ? "" : " Skipped " + Numbers.counted(skipped, "file") + ".",
            partly == 0 ? "" : " Of " + Numbers.counted(partly, "file") + " the end is lost.");
  }

  /** Returns the report for the terminal: what matters most. */
  String text() {
    StringBuilder text = new StringBuilder();
    Verdict.of(this).sentences().forEach(sentence -> text.append(sentence).append('\n'));
    text.append('\n').append(summary()).append('\n');
    text.append(Provenance.text(merge.sources())).append('\n');
    text.append(HolderTables.text(this));
    return text.append(ReportTables.shares(this).text()).toString();
  }
}
