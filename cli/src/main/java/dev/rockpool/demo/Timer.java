package dev.rockpool.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Times work on the current thread in windows, until the compiler was idle in two, one after the
 * other, or there were enough. The last one counts.
 *
 * @param windowNanos processor time of a window, since other programs then leave the compiler its
 *     part of each
 * @param least windows
 * @param most windows
 */
public record Timer(double windowNanos, int least, int most) {
  /** The names of the values in {@link Figures#csv}. */
  public static final String HEADER =
      "workload,rows_in_all,nanos_per_row,fastest_nanos_per_row,garbage_bytes_per_row,result,"
          + "compiled";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long compilationMillis() {
    @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    // Nothing is ever compiled without a compiler, therefore that clock never stands still.
    return compiler == null ? System.nanoTime() : compiler.getTotalCompilationTime();
  }

  /** Work that can be done over and over, in batches so large that reading the clock is nothing. */
  public interface Work<E extends Throwable> {
    /** Does a batch, which is all that is measured. */
    void run() throws E;

    long rows();

    /** Prepares the next batch, after one that took so long. */
    void next(long nanos);
  }

  /**
   * The time of a row.
   *
   * @param rows that were gone through, measured or not
   * @param nanos the median of all batches
   * @param fastestNanos the same of the fastest batch
   * @param garbageBytes on the Java heap
   * @param compiled whether the compiler was idle meanwhile
   */
  public record Figures(
      long rows, double nanos, double fastestNanos, double garbageBytes, boolean compiled) {
    public String csv(Object workload, Object result) {
      return String.format(
          Locale.ROOT,
          "%s,%d,%.3f,%.3f,%.3f,%s,%b",
          workload,
          rows,
          nanos,
          fastestNanos,
          garbageBytes,
          URLEncoder.encode(result.toString(), UTF_8),
          compiled);
    }
  }

  public <E extends Throwable> Figures measure(Work<E> work) throws E {
    List<Double> nanos = new ArrayList<>();
    double garbageBytes = 0;
    long rows = 0;
    int quiet = 0;
    for (int windows = 0; windows < least || (quiet < 2 && windows < most); windows++) {
      nanos.clear();
      long rowsBefore = rows;
      long bytes = 0;
      long compilationBefore = compilationMillis();
      long start = THREADS.getCurrentThreadCpuTime();
      do {
        long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
        long startOfBatch = System.nanoTime();
        work.run();
        long took = Math.max(1, System.nanoTime() - startOfBatch);
        bytes += THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
        nanos.add((double) took / work.rows());
        rows += work.rows();
        work.next(took);
      } while (THREADS.getCurrentThreadCpuTime() - start < windowNanos);
      garbageBytes = (double) bytes / (rows - rowsBefore);
      long compilation = compilationMillis() - compilationBefore;
      quiet = compilation * 1e6 <= windowNanos / 100 ? quiet + 1 : 0;
    }
    Collections.sort(nanos);
    return new Figures(
        rows, nanos.get(nanos.size() / 2), nanos.getFirst(), garbageBytes, quiet >= 2);
  }
}
