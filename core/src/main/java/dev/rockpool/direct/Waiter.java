package dev.rockpool.direct;

import org.jspecify.annotations.Nullable;

/**
 * A thread in line, and what it waits for. The links are in here, so that nothing has to be
 * allocated while the line changes.
 */
final class Waiter {
  final long byteSize;
  final Thread thread = Thread.currentThread();

  /** Neighbours in line, guarded by the monitor of the line, as is whether it is in it. */
  @Nullable Waiter previous;

  @Nullable Waiter next;
  boolean inLine;

  /** Guarded by the monitor of the line: collections asked for when it came. */
  long collectionsAtArrival;

  /** Guarded by the monitor of the line: the last collection that it started. */
  long collection;

  /** Guarded by the block that it waits for. */
  @Nullable Waiter nextOfBlock;

  /** Whether the bytes are reserved. Written once, directly after they were, by whoever did it. */
  volatile boolean served;

  /** Whether nobody is to serve it any more. Needs no monitor, nor stack. */
  volatile boolean gone;

  /** When it last showed that it runs, while it has the lease. */
  volatile long beatNanos;

  /** Whether it is in {@code System.gc()}, from where it comes back. */
  volatile boolean collecting;

  Waiter(long byteSize) {
    this.byteSize = byteSize;
  }
}
