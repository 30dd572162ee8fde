package dev.rockpool.watch;

import dev.rockpool.record.JvmCommand;
import java.util.concurrent.TimeUnit;

/** The bound of the process's resident memory. Only the thread of {@link Watch} uses this. */
final class ProcessBound {
  /** The part of the bound that has to be free before memory is charged again: a sixteenth. */
  private static final int HEADROOM_PART = 16;

  /** The longest pause for that: a heap of a fixed size never gives so much back. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How long charged memory may take to become resident. Not longer, because what malloc keeps of
   * freed memory is the rest until it is charged again.
   */
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Trimming holds the locks of malloc for some milliseconds. */
  private static final long TRIM_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long bound;
  private final LimitedMemory limited;
  private boolean isFull;
  private long lastOverNanos;
  private long trimmedNanos = System.nanoTime() - TRIM_PAUSE_NANOS;

  /** The most that was resident beside the bytes in use, in this window and in the one before. */
  private long mostRest;

  private long mostRestBefore;

  private long windowNanos = System.nanoTime();

  ProcessBound(long bound, LimitedMemory limited) {
    this.bound = bound;
    this.limited = limited;
  }

  long bound() {
    return bound;
  }

  /** Moves the ceiling. */
  void look(long resident, long nanos) {
    long rest = Math.max(0, resident - limited.inUse());
    if (nanos - windowNanos > WINDOW_NANOS) {
      windowNanos = nanos;
      mostRestBefore = mostRest;
      mostRest = rest;
    }
    mostRest = Math.max(mostRest, rest);
    lastOverNanos = resident > bound ? nanos : lastOverNanos;
    boolean isResting = isFull && nanos - lastOverNanos < REST_NANOS;
    isFull = resident > (isResting ? bound - bound / HEADROOM_PART : bound);
    limited.setCeiling(isFull ? -1 : bound - Math.max(mostRest, mostRestBefore));
    if (isFull) {
      makeRoom(nanos);
    }
  }

  private void makeRoom(long nanos) {
    if (nanos - trimmedNanos >= TRIM_PAUSE_NANOS) {
      trimmedNanos = nanos;
      JvmCommand.run("System.trim_native_heap");
    }
    limited.askForCollection();
  }

  /** Returns how much the process may grow. */
  long room(long resident) {
    return bound - resident;
  }
}
