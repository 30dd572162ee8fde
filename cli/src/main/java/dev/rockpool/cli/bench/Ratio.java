package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.Statistics;

/**
 * How many times as fast one is as another: the times divided.
 *
 * @param value the ratio of the two scores
 * @param low the least that it can be within both errors, or NaN if they are not known
 * @param high the most, likewise; infinite if an error is as large as its score
 */
record Ratio(double value, double low, double high) {
  /** How many times as fast {@code other} is as {@code baseline}. */
  static Ratio of(Score baseline, Score other) {
    return new Ratio(
        baseline.value() / other.value(),
        Math.max(0, baseline.value() - baseline.error()) / (other.value() + other.error()),
        (baseline.value() + baseline.error()) / Math.max(0, other.value() - other.error()));
  }

  /** Whether the errors are known, and so large that either may be the faster one. */
  boolean isUndecided() {
    return low <= 1 && high >= 1;
  }

  /** For example {@code 10.4x}, or {@code ~1.02x} if that may be chance. */
  String text() {
    return (isUndecided() ? "~" : "") + Statistics.threeDigits(value) + "x";
  }
}
