package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolAudit;

/** Whether memory stays within bounds: that of the pool always, that of the process in the end. */
final class Growth {
  /** Until then compilers and class loading still take memory of their own. */
  private static final double WARM_SECONDS = 60;

  private static final long MOST_RESIDENT = 64L << 20;

  /** Threads may end and others start while the pool is asked, so twice as many as there are. */
  private static final int MARGIN = 2;

  private final int threads;
  private Reading warm;

  Growth(int threads) {
    this.threads = threads;
  }

  /**
   * To be called with each reading.
   *
   * @throws Violation if there is more memory in use than there may be
   */
  void check(Reading reading) {
    long most = PoolAudit.mostBytesKept(ArenaPool.shared(), MARGIN * threads);
    if (reading.pool().bytesKept() > most) {
      throw new Violation(
          "Memory of the pool must be bounded by the threads alive: most=" + most + ", " + reading);
    }
    if (warm == null && reading.seconds() >= WARM_SECONDS) {
      warm = reading;
    }
    if (warm != null && reading.resident() > warm.resident() + MOST_RESIDENT) {
      throw new Violation(
          "Memory of the process must not grow without end: after "
              + Math.round(warm.seconds())
              + " s it was "
              + Reading.mebibytes(warm.resident())
              + " MiB, after "
              + Math.round(reading.seconds())
              + " s it is "
              + Reading.mebibytes(reading.resident())
              + " MiB");
    }
  }
}
