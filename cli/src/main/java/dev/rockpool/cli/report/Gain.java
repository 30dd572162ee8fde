package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;

/**
 * The most that the agent can save a recorded JVM: arithmetic on counts, and on what one arena
 * {@link Saving saves} on this machine.
 *
 * @param arenas that a JVM closed, on average
 * @param perSecond arenas that a JVM closed in a second; 0 if the time is not known
 * @param nanos saved in these arenas at most, not counting the agent's start
 * @param share of the processor time without the agent, at most; NaN if that time is not known
 */
record Gain(Saving saving, double arenas, double perSecond, double nanos, double share) {
  /** Less than this share of the processor time is not worth an agent. */
  private static final double LITTLE = 0.01;

  static Gain of(Report report, Saving saving) {
    Figures figures = report.figures();
    double all = poolable(report.all()) * saving.nanos();
    double processorNanos = figures.processorNanos() + (figures.isPooled() ? all : 0);
    double jvms = Math.max(1, figures.jvms().size());
    return new Gain(
        saving,
        report.all().arenas() / jvms,
        perSecond(report),
        all / jvms,
        figures.processorNanos() == 0 ? Double.NaN : Math.min(1, all / processorNanos));
  }

  /** Returns the arenas that a JVM closed in a second; 0 if the time is not known. */
  static double perSecond(Report report) {
    long nanos = report.figures().recordedNanos();
    return nanos == 0 ? 0 : 1e9 * report.all().arenas() / nanos;
  }

  /**
   * Returns the number of savings: an arena saves once for each allocation, and once if it has
   * none. An allocation that makes its arena too large for the pool saves nothing.
   */
  static long poolable(ArenaFigures figures) {
    long tooLarge = figures.totals().within(Saving.TOO_LARGE, Long.MAX_VALUE);
    return Math.max(0, figures.allocations() + figures.empty() - tooLarge);
  }

  boolean isLittle() {
    return share < LITTLE;
  }

  boolean paysStartBack() {
    return nanos > saving.startNanos();
  }

  /** Returns the number of arenas of a JVM that save as much as the agent's start takes. */
  double payBackArenas() {
    return arenas * saving.startNanos() / nanos;
  }

  JsonObject toJson() {
    JsonObject json = ReportJson.tree(saving).getAsJsonObject();
    json.addProperty("mostNanosOfJvm", nanos);
    if (!Double.isNaN(share)) {
      json.addProperty("mostShareOfProcessorTime", share);
    }
    if (nanos > 0) {
      json.addProperty("payBackArenas", payBackArenas());
    }
    return json;
  }
}
