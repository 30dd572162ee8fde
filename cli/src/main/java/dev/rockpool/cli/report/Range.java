package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import java.util.Arrays;
import java.util.function.DoubleFunction;

/** The bounds of a figure that several runs gave. */
record Range(double low, double high) {
  static final Range ZERO = new Range(0, 0);

  private static final int ENOUGH = 5;

  /** All of {@code values}; from five on without the lowest and the highest. */
  static Range of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int cut = sorted.length >= ENOUGH ? 1 : 0;
    return new Range(sorted[cut], sorted[sorted.length - 1 - cut]);
  }

  double middle() {
    return (low + high) / 2;
  }

  Range plus(Range other) {
    return new Range(low + other.low, high + other.high);
  }

  Range minus(Range other) {
    return new Range(low - other.high, high - other.low);
  }

  Range times(double factor) {
    return factor < 0
        ? new Range(high * factor, low * factor)
        : new Range(low * factor, high * factor);
  }

  Range wider(double by) {
    return new Range(low - by, high + by);
  }

  /** This range, as far up as {@code other}. */
  Range orWorse(Range other) {
    return new Range(low, Math.max(high, other.high));
  }

  /** Such as "1.5 ms to 2.5 ms". */
  String text(DoubleFunction<String> format) {
    String from = format.apply(low);
    String to = format.apply(high);
    return from.equals(to) ? from : from + " to " + to;
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("low", low);
    json.addProperty("high", high);
    return json;
  }
}
