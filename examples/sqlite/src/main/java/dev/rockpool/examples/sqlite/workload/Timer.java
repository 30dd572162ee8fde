package dev.rockpool.examples.sqlite.workload;

import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
  private long batches;

  private Timer(Workload workload, Batch batch) {
    this.workload = workload;
    this.batch = batch;
    batch.run();
    result = batch.result();
    batch.undo();
    batches = 1;
  }

  /**
   * Measures windows of so many seconds, until the compiler was idle in two, one after the other,
   * or there were enough. The last one counts.
   */
  static Measurement measure(Workload workload, double seconds) {
    try (Batch batch = workload.prepare()) {
      Timer timer = new Timer(workload, batch);
      boolean quiet = timer.window(seconds);
      boolean compiled;
      int windows = 1;
      do {
        boolean quietBefore = quiet;
        quiet = timer.window(seconds);
        compiled = quietBefore && quiet;
        windows++;
      } while (!compiled && windows < MOST_WINDOWS);
      return timer.measurement(compiled);
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
          "A workload must come to the same each time: "
              + workload
              + ", first="
              + result
              + ", now="
              + again);
    }
    batch.undo();
  }

  private Measurement measurement(boolean compiled) {
    Collections.sort(nanos);
    double rows = batch.rows();
    return new Measurement(
        workload,
        batches * batch.rows(),
        nanos.get(nanos.size() / 2) / rows,
        nanos.getFirst() / rows,
        bytes / (rows * nanos.size()),
        result,
        compiled);
  }
}
