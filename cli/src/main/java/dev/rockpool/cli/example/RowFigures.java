package dev.rockpool.cli.example;

import dev.rockpool.cli.support.CommandFailure;
import java.util.List;

/**
 * What one JVM found out about a workload.
 *
 * @param rowsInAll rows that it went through, measured or not
 * @param nanos for each row, the median of its batches
 * @param fastestNanos the same of the fastest batch
 * @param garbageBytes for each row
 * @param result what each batch came to
 */
record RowFigures(
    long rowsInAll, double nanos, double fastestNanos, double garbageBytes, String result) {
  private static final String HEADER =
      "workload,rows_in_all,nanos_per_row,fastest_nanos_per_row,garbage_bytes_per_row,result";

  /** The figures of one workload in what an example printed. */
  static RowFigures parse(List<String> lines) {
    if (lines.size() != 2 || !lines.getFirst().equals(HEADER)) {
      throw new CommandFailure(
          "An example must print two lines, the first being '" + HEADER + "': it printed " + lines);
    }
    List<String> values = List.of(lines.getLast().split(",", -1));
    return new RowFigures(
        Long.parseLong(values.get(1)),
        Double.parseDouble(values.get(2)),
        Double.parseDouble(values.get(3)),
        Double.parseDouble(values.get(4)),
        values.get(5));
  }
}
