package dev.rockpool.cli.bench;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * All that there is to show.
 *
 * @param origin how and where it was measured
 * @param results what came out
 * @param failures what should have, and did not
 */
record Report(Origin origin, List<Result> results, List<Failure> failures) {
  /**
   * How and where it was measured; without it, figures mean little.
   *
   * @param rockpool the version, with the commit if the project's folder knows it
   * @param command the command that does it again
   * @param start when it began
   * @param duration how long it took
   * @param os the operating system
   * @param cpu the processor
   * @param load the load average before it began, negative if the system does not tell
   * @param jvms the JDKs
   */
  record Origin(
      String rockpool,
      String command,
      OffsetDateTime start,
      Duration duration,
      String os,
      String cpu,
      double load,
      List<Jvm> jvms) {}

  /**
   * A figure that is missing.
   *
   * @param what which one
   * @param reason the first thing that was said of it
   */
  record Failure(String what, String reason) {
    String text() {
      return what + ": " + reason;
    }
  }

  /** What to bear in mind. */
  static final String CAUTION =
      "These numbers are data, not conclusions: they hold for this machine, these JVMs and these"
          + " loops. Repeat them before you rely on them.";

  /** What the columns mean. */
  static final String LEGEND =
      "ns/op is the mean time of one operation ± half of its 99.9 % confidence interval. A ratio is"
          + " the time of jdk divided by that of the contestant, in the same run on the same JVM:"
          + " more than 1x is faster than the JDK's arena; ~ marks what may be chance, because the"
          + " intervals overlap. B/op is garbage, in bytes.";

  /** The results that may be compared, together. */
  List<Comparison> comparisons() {
    return Comparison.of(results);
  }

  /** How it was measured: one line, unless parts were measured in different ways. */
  List<String> settings() {
    return results.stream().map(Result::settings).distinct().toList();
  }
}
