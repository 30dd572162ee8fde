package dev.rockpool.cli.bench;

import com.google.gson.JsonObject;
import dev.rockpool.cli.support.Statistics;
import java.util.Locale;

/**
 * A figure and how far off it may be.
 *
 * @param value the mean
 * @param error half of the interval that holds the true mean with 99.9 % confidence, as JMH
 *     computes it, or NaN where there are too few samples to tell
 */
record Score(double value, double error) {
  /** The score of a metric; JMH writes an error that it cannot compute as the string "NaN". */
  static Score of(JsonObject metric) {
    return new Score(metric.get("score").getAsDouble(), metric.get("scoreError").getAsDouble());
  }

  /** The value in as many digits as make sense, and the error if there is one. */
  String text() {
    double size = Math.abs(value);
    int decimals = size < 1 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
    return decimal(value, decimals) + (Double.isNaN(error) ? "" : " ±" + decimal(error, decimals));
  }

  /** As a number of bytes of garbage: JMH's own few bytes per iteration are none. */
  String bytesText() {
    return Double.isNaN(value)
        ? "-"
        : decimal(value, Math.abs(value - Math.rint(value)) < 0.05 ? 0 : 1);
  }

  private static String decimal(double number, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number + 0.0);
  }

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
          baseline.value / other.value,
          Math.max(0, baseline.value - baseline.error) / (other.value + other.error),
          (baseline.value + baseline.error) / Math.max(0, other.value - other.error));
    }

    /** For example {@code 10.4x}, or {@code ~1.02x} where the errors let either be faster. */
    String text() {
      return (low <= 1 && high >= 1 ? "~" : "") + Statistics.threeDigits(value) + "x";
    }
  }
}
