package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.report.Calibration.Cost;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Served;

/**
 * Savings of the pool in processor time, over all that was recorded, compared with no pool. Without
 * the pool's start, but for {@link #start}.
 *
 * @param calibration behind the figures
 * @param arenas closed
 * @param gain ns in all
 * @param start ns that start and warm-up of one JVM take more
 * @param processorNanos of the recorded JVMs, as if without the pool; zero if not known
 * @param arenasOfJvm mean
 * @param arenasPerSecond mean of a JVM
 */
record Forecast(
    Calibration calibration,
    long arenas,
    Range gain,
    Range start,
    Range processorNanos,
    double arenasOfJvm,
    double arenasPerSecond) {
  static Forecast of(Figures figures, Calibration calibration) {
    Range gain = Range.ZERO;
    Range start = Range.ZERO;
    Range had = Range.ZERO;
    for (var entry : calibration.costs().entrySet()) {
      Load load = entry.getKey();
      Cost cost = entry.getValue();
      gain = gain.plus(cost.gain().times((double) load.arenas()));
      long fromPool = figures.of(load.kind(), Served.SLAB).arenas();
      had = had.plus(cost.gain().times((double) fromPool));
      start =
          new Range(
              Math.max(start.low(), cost.start().low()),
              Math.max(start.high(), cost.start().high()));
    }
    long arenas = figures.all().arenas();
    double cpu = figures.processorNanos();
    return new Forecast(
        calibration,
        arenas,
        gain,
        start,
        cpu == 0 ? Range.ZERO : new Range(cpu, cpu).plus(had),
        (double) arenas / Math.max(1, figures.jvms()),
        figures.recordedNanos() == 0 ? 0 : arenas * 1e9 / figures.recordedNanos());
  }

  boolean isGain() {
    return gain.low() > 0;
  }

  boolean isLoss() {
    return gain.high() < 0;
  }

  /** ns for each arena. */
  Range nanosPerArena() {
    return gain.times(arenas == 0 ? 0 : 1.0 / arenas);
  }

  boolean knowsProcessorTime() {
    return processorNanos.low() > 0;
  }

  /** The part of the processor time that is saved, start left out. */
  Range share() {
    return knowsProcessorTime()
        ? new Range(
            gain.low() / (gain.low() < 0 ? processorNanos.low() : processorNanos.high()),
            gain.high() / (gain.high() < 0 ? processorNanos.high() : processorNanos.low()))
        : Range.ZERO;
  }

  /** After so many arenas of a JVM the gain has paid for the start; only if there is a gain. */
  Range payOffArenas() {
    Range each = nanosPerArena();
    return new Range(start.low() / each.high(), start.high() / each.low());
  }

  /** The same, in nanoseconds of this load. */
  Range payOffNanos() {
    return payOffArenas().times(1e9 / arenasPerSecond);
  }

  /** ns that the recorded JVMs save in all, start included. */
  Range net() {
    return gain.minus(start.times(arenasOfJvm == 0 ? 0 : arenas / arenasOfJvm));
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("jdk", calibration.jdk());
    json.addProperty("pairs", calibration.pairs());
    json.add("nanosPerArena", nanosPerArena().toJson());
    json.add("nanos", gain.toJson());
    json.add("startNanosOfJvm", start.toJson());
    json.add("netNanos", net().toJson());
    if (knowsProcessorTime()) {
      json.add("shareOfProcessorTime", share().toJson());
    }
    if (isGain()) {
      json.add("payOffArenas", payOffArenas().toJson());
    }
    return json;
  }
}
