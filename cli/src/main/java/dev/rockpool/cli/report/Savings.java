package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.report.Calibration.Cost;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.Served;

/**
 * The forecast: savings of the pool in processor time, over all that was recorded, compared with no
 * pool. Without the pool's start, but for {@link #start} and {@link #net}.
 *
 * @param calibration behind the figures
 * @param arenas closed
 * @param gain ns in all
 * @param net ns that a JVM like the recorded ones saves from start to end
 * @param start ns that start and warm-up take more in a JVM that runs on
 * @param processorNanos of the recorded JVMs, as if without the pool; zero if not known
 * @param closedByJvm arenas, mean of the JVMs
 * @param arenasPerSecond mean of a JVM; zero if not known
 */
record Savings(
    Calibration calibration,
    long arenas,
    Range gain,
    Range net,
    Range start,
    Range processorNanos,
    double closedByJvm,
    double arenasPerSecond) {
  /** Less than this part of the processor time is not worth an agent. */
  private static final double LITTLE = 0.01;

  static Savings of(Figures figures, Calibration calibration) {
    Range gain = Range.ZERO;
    Range net = Range.ZERO;
    Range start = Range.ZERO;
    Range had = Range.ZERO;
    boolean isFirst = true;
    for (var entry : calibration.costs().entrySet()) {
      Load load = entry.getKey();
      Cost cost = entry.getValue();
      Range each = cost.gain();
      gain = gain.plus(each.times((double) load.arenas()));
      // A JVM starts once, and was calibrated once for each kind of thread.
      double again = isFirst ? 0 : Math.max(0, cost.start().high());
      isFirst = false;
      net = net.plus(cost.net()).plus(new Range(0, again));
      start = start.plus(cost.start()).plus(new Range(-again, 0));
      had = had.plus(each.times((double) figures.of(load.kind(), Served.POOL).arenas()));
    }
    long arenas = figures.all().arenas();
    double cpu = figures.processorNanos();
    return new Savings(
        calibration,
        arenas,
        gain,
        net,
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

  /** Whether the gain is too small a part of the processor time. */
  boolean isLittle() {
    return knowsProcessorTime() && share().high() < LITTLE;
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
    return knowsProcessorTime() ? gain.dividedBy(processorNanos) : Range.ZERO;
  }

  /** After so many arenas of a JVM the gain has paid for the start; only if there is a gain. */
  Range payOffArenas() {
    return start.dividedBy(nanosPerArena());
  }

  /** The same, in nanoseconds of this load; only if there is a rate. */
  Range payOffNanos() {
    return payOffArenas().times(1e9 / arenasPerSecond);
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("jdk", calibration.jdk());
    json.addProperty("pairs", calibration.pairs());
    json.add("nanosPerArena", ReportJson.tree(nanosPerArena()));
    json.add("nanos", ReportJson.tree(gain));
    json.add("startNanosOfJvm", ReportJson.tree(start));
    json.add("netNanosOfJvm", ReportJson.tree(net));
    if (knowsProcessorTime()) {
      json.add("shareOfProcessorTime", ReportJson.tree(share()));
    }
    if (isGain()) {
      json.add("payOffArenas", ReportJson.tree(payOffArenas()));
    }
    return json;
  }
}
