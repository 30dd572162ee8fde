package dev.rockpool.examples.sqlite.workload;

import com.sun.management.ThreadMXBean;
import dev.rockpool.examples.sqlite.workload.Workload.Batch;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Measures a workload on the current thread, batch by batch. */
final class Timer {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final @Nullable CompilationMXBean COMPILER =
      ManagementFactory.getCompilationMXBean();

  private static final int MOST_WINDOWS = 10;

  private final Workload workload;
  private final Batch batch;
  private final long result;
  private final List<Long> nanos = new ArrayList<>();
  private long bytes;
  private long batches = 1;

  private Timer(Workload workload, Batch batch) {
    this.workload = workload;
    this.batch = batch;
    batch.run();
    result = batch.result();
    batch.undo();
  }

  /**
   * Measures windows of so many seconds, until the compiler was idle in two, one after the other,
   * or there were enough. The last one counts.
   */
  static Measurement measure(Workload workload, double seconds) {
    try (Batch batch = workload.prepare()) {
      Timer timer = new Timer(workload, batch);
      int quiet = 0;
      for (int windows = 0; quiet < 2 && windows < MOST_WINDOWS; windows++) {
        quiet = timer.window(seconds) ? quiet + 1 : 0;
      }
      return timer.measurement(quiet == 2);
    }
  }

  /**
   * Measures for so many seconds of processor time, since other programs then leave the compiler
   * its part of them.
   *
   * @return whether the compiler was idle
   */
  private boolean window(double seconds) {
    nanos.clear();
    bytes = 0;
    long compilationBefore = compilationMillis();
    long start = THREADS.getCurrentThreadCpuTime();
    do {
      runOnce();
    } while (THREADS.getCurrentThreadCpuTime() - start < seconds * 1e9);
    return COMPILER != null && compilationMillis() - compilationBefore <= seconds * 1e3 / 100;
  }

  private static long compilationMillis() {
    return COMPILER == null ? 0 : COMPILER.getTotalCompilationTime();
  }

  private void runOnce() {
    long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    batch.run();
    long took = System.nanoTime() - start;
    bytes += THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
    nanos.add(took);
    batches++;
    long again = batch.result();
    if (again != result) {
      throw new IllegalStateException(
          "A workload must come to the same each time: %s, first=%s, now=%s"
              .formatted(workload, result, again));
    }
    batch.undo();
  }

  private Measurement measurement(boolean compiled) {
    Collections.sort(nanos);
    double rows = batch.rows;
    return new Measurement(
        workload,
        batches * batch.rows,
        nanos.get(nanos.size() / 2) / rows,
        nanos.getFirst() / rows,
        bytes / (rows * nanos.size()),
        result,
        compiled);
  }

  /**
   * The time of a workload.
   *
   * @param rowsInAll rows that were gone through since the JVM was started, measured or not
   * @param nanosPerRow the median of all batches
   * @param fastestNanosPerRow the same of the fastest batch
   * @param bytesPerRow garbage on the Java heap (in bytes)
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
            .formatted(
                "workload", "rows a second", "ns a row", "fastest", "garbage a row", "a row");

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
          workload.description,
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
}
