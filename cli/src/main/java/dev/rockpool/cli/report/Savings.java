package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.report.Calibration.Cost;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.Served;
import java.util.Arrays;
import java.util.function.DoubleFunction;

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
 * @param arenasOfJvm mean
 * @param arenasPerSecond mean of a JVM
 */
record Savings(
    Calibration calibration,
    long arenas,
    Range gain,
    Range net,
    Range start,
    Range processorNanos,
    double arenasOfJvm,
    double arenasPerSecond) {
  /** The bounds of a figure that several runs gave. */
  record Range(double low, double high) {
    static final Range ZERO = new Range(0, 0);

    /** Student's t for 95 %, by the number of values from two on. */
    private static final double[] STUDENT = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36};

    /**
     * Returns the 95 % confidence interval of the mean, by Student's t for normal values. It covers
     * the mean less often where one tail is much longer than the other.
     */
    static Range of(double... values) {
      double mean = Arrays.stream(values).average().orElseThrow();
      double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
      int free = values.length - 1;
      double reach =
          STUDENT[Math.min(free, STUDENT.length) - 1] * Math.sqrt(squares / free / values.length);
      return new Range(mean - reach, mean + reach);
    }

    /** Whether it has both signs. */
    boolean isUnsure() {
      return low <= 0 && high >= 0;
    }

    Range plus(Range other) {
      return new Range(low + other.low, high + other.high);
    }

    Range minus(Range other) {
      return plus(other.times(-1));
    }

    Range times(double factor) {
      return factor < 0
          ? new Range(high * factor, low * factor)
          : new Range(low * factor, high * factor);
    }

    /** By a positive range. */
    Range dividedBy(Range divisor) {
      return new Range(
          low / (low < 0 ? divisor.low : divisor.high),
          high / (high < 0 ? divisor.high : divisor.low));
    }

    /** Such as "1.5 ms to 2.5 ms". */
    String text(DoubleFunction<String> format) {
      String from = format.apply(low);
      String to = format.apply(high);
      return from.equals(to) ? from : from + " to " + to;
    }
  }

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
      double again = isFirst ? 0 : Math.max(0, cost.start().high);
      isFirst = false;
      net = net.plus(cost.net()).plus(new Range(0, again));
      start = start.plus(cost.start()).plus(new Range(-again, 0));
      had = had.plus(each.times((double) figures.of(load.kind(), Served.SLAB).arenas()));
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
    return gain.low > 0;
  }

  boolean isLoss() {
    return gain.high < 0;
  }

  /** Whether the gain is too small a part of the processor time. */
  boolean isLittle() {
    return knowsProcessorTime() && share().high < LITTLE;
  }

  /** ns for each arena. */
  Range nanosPerArena() {
    return gain.times(arenas == 0 ? 0 : 1.0 / arenas);
  }

  boolean knowsProcessorTime() {
    return processorNanos.low > 0;
  }

  /** The part of the processor time that is saved, start left out. */
  Range share() {
    return knowsProcessorTime() ? gain.dividedBy(processorNanos) : Range.ZERO;
  }

  /** After so many arenas of a JVM the gain has paid for the start; only if there is a gain. */
  Range payOffArenas() {
    return start.dividedBy(nanosPerArena());
  }

  /** The same, in nanoseconds of this load. */
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
