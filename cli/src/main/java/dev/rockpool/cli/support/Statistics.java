package dev.rockpool.cli.support;

import java.util.Arrays;
import java.util.Locale;

public final class Statistics {
  private Statistics() {}

  /** The middle one of {@code values}, or the mean of the middle two. */
  public static double median(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("A median needs a value: values=[]");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** {@code value} in about three digits: 4.21, 42.1, 421, 4210. */
  public static String threeDigits(double value) {
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
