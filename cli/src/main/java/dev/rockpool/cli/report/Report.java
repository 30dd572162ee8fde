package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.Setting;
import dev.rockpool.cli.report.recording.Figures.Site;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.internal.SizeSetting;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of all forms of the report.
 *
 * @param all figures of all arenas
 * @param holders the call sites that hold native memory, those with the most live bytes first
 * @param setting of most JVMs, and the default where none had a pool
 * @param savings null if there is no forecast
 * @param uncalibrated why there is no forecast; empty if there is one, or no arena
 */
record Report(
    Merge merge,
    ArenaFigures all,
    List<Holder> holders,
    Setting setting,
    @Nullable Savings savings,
    String uncalibrated) {
  private static final Setting DEFAULT =
      new Setting(
          "",
          true,
          SizeSetting.BLOCK_SIZE.defaultValue(),
          SizeSetting.BLOCKS_PER_THREAD.defaultValue(),
          "",
          "",
          1);

  /** A report without forecast. */
  static Report of(Merge merge) {
    Figures figures = merge.figures();
    Setting setting =
        figures.settings().entrySet().stream()
            .filter(
                each -> each.getKey().blockByteSize() > 0 && each.getKey().blocksPerThread() > 0)
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(DEFAULT);
    return new Report(merge, figures.all(), figures.holders().all(), setting, null, "");
  }

  Report with(Calibration calibration) {
    Savings made = Savings.of(figures(), calibration);
    return new Report(merge, all, holders, setting, made, "");
  }

  /** The savings, where there is a forecast. */
  Savings forecast() {
    return Objects.requireNonNull(savings);
  }

  Report without(String reason) {
    return new Report(merge, all, holders, setting, null, reason);
  }

  Figures figures() {
    return merge.figures();
  }

  HitRates hitRates() {
    return new HitRates(all, setting);
  }

  /** The loads to calibrate with. */
  List<Load> loads() {
    return Load.of(figures()).stream().filter(load -> load.arenas() > 0).toList();
  }

  /** All call sites of confined arenas, those with the most misses first. */
  List<Site> sites() {
    return figures().sites().values().stream()
        .sorted(
            Comparator.<Site>comparingLong(site -> -site.missed())
                .thenComparingLong(site -> -site.arenas())
                .thenComparing(Site::site))
        .toList();
  }

  /** In a sentence. */
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

  /** The report for the terminal: what matters most. */
  String text() {
    StringBuilder text = new StringBuilder();
    Verdict.of(this).sentences().forEach(sentence -> text.append(sentence).append('\n'));
    text.append('\n').append(summary()).append('\n');
    text.append(Provenance.text(merge.sources())).append('\n');
    text.append(HolderTables.text(this));
    text.append(ReportTables.shares(this).text()).append('\n');
    text.append(ReportTables.hitRates(this).text()).append('\n');
    hitRates().sentences().forEach(sentence -> text.append(sentence).append('\n'));
    if (savings != null) {
      text.append('\n').append(ReportTables.gain(savings).text());
      text.append(savings.calibration().description()).append('\n');
    }
    return text.toString();
  }
}
