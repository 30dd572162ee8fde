package dev.rockpool.cli.report;

import java.util.Arrays;
import java.util.function.DoubleFunction;

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

  /** Returns the least range that has both. */
  Range span(Range other) {
    return new Range(Math.min(low, other.low), Math.max(high, other.high));
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
