package dev.rockpool.bench.soak;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** The ways to wait, after each of which a virtual thread may be on another carrier. */
final class Pause {
  private static final Object MONITOR = new Object();

  private Pause() {}

  @SuppressWarnings("ThreadPriorityCheck") // any order will do
  static void sometime(SplittableRandom random) {
    int percent = random.nextInt(100);
    if (percent == 0) {
      LockSupport.parkNanos(1_000_000);
    } else if (percent < 5) {
      LockSupport.parkNanos(1);
    } else if (percent < 20) {
      synchronized (MONITOR) {
        Thread.yield();
      }
    } else {
      Thread.yield();
    }
  }
}
