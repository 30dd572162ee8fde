package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Setting;
import dev.rockpool.cli.report.recording.Skipped;
import dev.rockpool.cli.report.recording.Source;
import dev.rockpool.internal.SizeSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of all forms of the report.
 *
 * @param all figures of all arenas
 * @param setting what most JVMs had, and the default where none had a pool
 * @param forecast null if there is none
 * @param uncalibrated why there is no forecast; empty if there is one, or no arena
 */
record Report(
    Figures figures,
    ArenaFigures all,
    Setting setting,
    List<Source> sources,
    List<Skipped> skipped,
    List<Skipped> partly,
    List<Skipped> repeated,
    @Nullable Forecast forecast,
    String uncalibrated) {
  /** The defaults of the pool. */
  private static final Setting DEFAULT =
      new Setting(
          "",
          true,
          SizeSetting.SLAB_SIZE.defaultValue(),
          SizeSetting.SLABS_PER_THREAD.defaultValue(),
          "",
          "",
          1);

  /** A report without forecast. */
  static Report of(Merge merge) {
    Figures figures = merge.figures();
    return new Report(
        figures,
        figures.all(),
        mostFrequent(figures).orElse(DEFAULT),
        merge.sources(),
        merge.skipped(),
        merge.partly(),
        merge.repeated(),
        null,
        "");
  }

  Report with(Calibration calibration) {
    return with(Forecast.of(figures, calibration), "");
  }

  Report without(String reason) {
    return with(null, reason);
  }

  private Report with(@Nullable Forecast made, String reason) {
    return new Report(figures, all, setting, sources, skipped, partly, repeated, made, reason);
  }

  private static Optional<Setting> mostFrequent(Figures figures) {
    return figures.settings().entrySet().stream()
        .filter(setting -> setting.getKey().slabByteSize() > 0)
        .filter(setting -> setting.getKey().slabsPerThread() > 0)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey);
  }

  HitRates hitRates() {
    return new HitRates(all);
  }

  /** The loads to calibrate with. */
  List<Load> loads() {
    return Load.of(figures, setting.slabsPerThread()).stream()
        .filter(load -> load.arenas() > 0)
        .toList();
  }

  /** In a sentence. */
  String summary() {
    return "Merged "
        + counted(sources.size(), "recording")
        + " of "
        + counted(figures.jvms(), "JVM")
        + ": "
        + counted(all.arenas(), "confined arena")
        + " closed in "
        + Numbers.time((double) figures.recordedNanos())
        + " of recording."
        + (skipped.isEmpty() ? "" : " Skipped " + counted(skipped.size(), "file") + ".")
        + (partly.isEmpty() ? "" : " Of " + counted(partly.size(), "file") + " the end is lost.");
  }

  static String counted(long count, String noun) {
    return Numbers.count(count) + " " + noun + (count == 1 ? "" : "s");
  }
}
