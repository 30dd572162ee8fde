package dev.rockpool.examples.sqlite.workload;

import java.util.Locale;

/**
 * The time of a workload.
 *
 * @param rowsInAll rows that were gone through since the JVM was started, measured or not
 * @param nanosPerRow the median of all batches
 * @param fastestNanosPerRow the same of the fastest batch
 * @param bytesPerRow garbage on the Java heap (in bytes)
 * @param result what each batch came to
 * @param compiled whether the compiler was idle meanwhile
 */
record Measurement(
    Workload workload,
    long rowsInAll,
    double nanosPerRow,
    double fastestNanosPerRow,
    double bytesPerRow,
    long result,
    boolean compiled) {
  static final String TEXT_HEADER =
      "%-8s %15s %15s %15s %15s   %s"
          .formatted("workload", "rows a second", "ns a row", "fastest", "garbage a row", "a row");

  static final String CSV_HEADER =
      "workload,rows_in_all,nanos_per_row,fastest_nanos_per_row,garbage_bytes_per_row,result,"
          + "compiled";

  /** A line of a table for people. */
  String toText() {
    return String.format(
        Locale.ROOT,
        "%-8s %,15.0f %,15.1f %,15.1f %,13.1f B   %s%s%n",
        workload,
        1e9 / nanosPerRow,
        nanosPerRow,
        fastestNanosPerRow,
        bytesPerRow,
        workload.description(),
        compiled ? "" : " (not compiled yet when measured)");
  }

  /** The same for programs. */
  String toCsv() {
    return String.format(
        Locale.ROOT,
        "%s,%d,%.3f,%.3f,%.3f,%d,%b",
        workload,
        rowsInAll,
        nanosPerRow,
        fastestNanosPerRow,
        bytesPerRow,
        result,
        compiled);
  }
}
