package dev.rockpool.cli.bench;

import java.util.Locale;

/**
 * A figure and how far off it may be.
 *
 * @param value the mean
 * @param error half of the interval that holds the true mean with 99.9 % confidence, as JMH
 *     computes it, or NaN where there are too few samples to tell
 */
record Score(double value, double error) {
  /** A figure that is known exactly, or of which nobody knows how exactly. */
  static Score of(double value) {
    return new Score(value, Double.NaN);
  }

  boolean hasError() {
    return !Double.isNaN(error);
  }

  /** The value, in as many digits as make sense. */
  String valueText() {
    return decimal(value, decimals());
  }

  /** The value, and the error if there is one. */
  String text() {
    return hasError() ? valueText() + " ±" + decimal(error, decimals()) : valueText();
  }

  private int decimals() {
    double size = Math.abs(value);
    return size < 1 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  }

  /** As a number of bytes of garbage: JMH's own few bytes per iteration are none. */
  String bytesText() {
    return decimal(value, Math.abs(value - Math.rint(value)) < 0.05 ? 0 : 1);
  }

  private static String decimal(double number, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number + 0.0);
  }
}
