package dev.rockpool.examples.sqlite.workload;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Measures a workload on the current thread, batch by batch. */
final class Timer {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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

  /** Measures for so many seconds, after as many that warm up. */
  static Measurement measure(Workload workload, double seconds) {
    try (Batch batch = workload.prepare()) {
      Timer timer = new Timer(workload, batch);
      timer.runFor(seconds);
      timer.nanos.clear();
      timer.bytes = 0;
      timer.runFor(seconds);
      return timer.measurement();
    }
  }

  private void runFor(double seconds) {
    long start = System.nanoTime();
    do {
      runOnce();
    } while (System.nanoTime() - start < seconds * 1e9);
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

  private Measurement measurement() {
    Collections.sort(nanos);
    double rows = batch.rows();
    return new Measurement(
        workload,
        batches * batch.rows(),
        nanos.get(nanos.size() / 2) / rows,
        nanos.getFirst() / rows,
        bytes / (rows * nanos.size()),
        result);
  }
}
