package dev.rockpool.direct;

import dev.rockpool.internal.StackSpace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for memory of one budget, first come, first served.
 *
 * <p>What is credited is handed to the first in line as soon as it fits, by whoever credits it, and
 * then to the next: nobody has to wake up to take it, and nobody passes. So a large request is not
 * starved by small ones; what it holds up, it holds up until it is served or gives up.
 *
 * <p>Only the first in line acts; the others are parked. It does, over and over:
 *
 * <ol>
 *   <li>free what the garbage collector found unreachable, one block at a time, until it is served
 *       or nothing is left;
 *   <li>wait a moment, as collections report what they found with a delay;
 *   <li>ask for a garbage collection, unless one has started since it came and since anybody was
 *       served: that one has found already what there was to find;
 *   <li>pause, each time longer, until nothing was credited for {@link #PATIENCE_NANOS}; then look
 *       through all blocks for what is unreachable and was not passed on yet, and if there is none,
 *       give up.
 * </ol>
 *
 * <p>The collection and the quiet time count for all in line. When the first one gives up, those
 * behind it that came before the collection give up with it, and have cost none of their own.
 *
 * <p>Fields are guarded by the monitor of this object, except where they say otherwise. It is never
 * held while anything is freed or collected.
 */
final class WaitingLine {
  /** The JDK's own patience with direct memory is of that order. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(128);

  private final Budget budget;
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  /** Whether there are waiters. Read by everybody, written by whoever has the monitor. */
  private volatile boolean occupied;

  /** Collections asked for so far, the one that is running included. */
  private long collections;

  /** What {@link #collections} was when somebody in line was last served. */
  private long collectionsWhenServed;

  /** Whether the last one of {@link #collections} is still running. */
  private boolean collecting;

  /** When something was last credited, a collection ended, or the line was empty. */
  private long quietSinceNanos;

  /** Whether the last collection did not take place. */
  private volatile boolean explicitCollectionOff;

  WaitingLine(Budget budget) {
    this.budget = budget;
  }

  static final class Waiter {
    final long byteSize;
    final Thread thread = Thread.currentThread();
    final long collectionsAtArrival;

    /** Written once, by whoever has the monitor; read by the waiter. */
    volatile boolean served;

    Waiter(long byteSize, long collectionsAtArrival) {
      this.byteSize = byteSize;
      this.collectionsAtArrival = collectionsAtArrival;
    }
  }

  boolean isOccupied() {
    return occupied;
  }

  boolean isExplicitCollectionOff() {
    return explicitCollectionOff;
  }

  /** For tests: how many are in line. */
  synchronized int length() {
    return waiters.size();
  }

  /** For tests: how many collections were asked for. */
  synchronized long collections() {
    return collections;
  }

  /**
   * Waits in line for {@code byteSize} bytes. An interrupt does not end that, and is kept.
   *
   * @return false if they can't be had
   */
  boolean reserve(long byteSize) {
    DirectMonitor.@Nullable Event event = Monitoring.current().beginWait(byteSize);
    Waiter waiter = enter(byteSize);
    boolean served = false;
    try {
      served = isServed(waiter);
      return served;
    } finally {
      if (!served) {
        leave(waiter);
      }
      if (event != null) {
        event.end(budget.reserved(), budget.limit(), length(), served);
      }
    }
  }

  private boolean isServed(Waiter waiter) {
    boolean interrupted = false;
    long pauseNanos = FIRST_PAUSE_NANOS;
    try {
      while (!waiter.served) {
        // A thread that is interrupted does not park.
        interrupted |= Thread.interrupted();
        if (!isToAct(waiter)) {
          LockSupport.park(this);
        } else if (Reclaimer.freeOne()) {
          pauseNanos = FIRST_PAUSE_NANOS;
        } else if (isQuietFor(FIRST_PAUSE_NANOS) && startsCollection(waiter)) {
          collect();
          pauseNanos = FIRST_PAUSE_NANOS;
        } else if (isQuietFor(PATIENCE_NANOS) && Blocks.freeUnreachable() == 0 && givesUp(waiter)) {
          return false;
        } else {
          LockSupport.parkNanos(this, pauseNanos);
          pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Stands in line, and is served at once if it may. What comes then, {@link #reserve} does. */
  synchronized Waiter enter(long byteSize) {
    StackSpace.require();
    Waiter waiter = new Waiter(byteSize, collections);
    if (waiters.isEmpty()) {
      quietSinceNanos = System.nanoTime();
    }
    waiters.add(waiter);
    occupied = true;
    serve();
    return waiter;
  }

  /** Somebody gave memory back. */
  synchronized void credited() {
    StackSpace.require();
    quietSinceNanos = System.nanoTime();
    serve();
  }

  /** Hands out what there is, in order. */
  private void serve() {
    Waiter before = waiters.peek();
    Waiter first = before;
    while (first != null && budget.tryReserve(first.byteSize)) {
      waiters.remove();
      collectionsWhenServed = collections;
      first.served = true;
      LockSupport.unpark(first.thread);
      first = waiters.peek();
    }
    occupied = first != null;
    if (first != before) {
      wakeFirst();
    }
  }

  /** Without having been served; what it was handed meanwhile goes back. */
  private synchronized void leave(Waiter waiter) {
    if (waiter.served) {
      budget.credit(waiter.byteSize);
    } else if (waiters.remove(waiter)) {
      serve();
      wakeFirst();
    }
  }

  private void wakeFirst() {
    Waiter first = waiters.peek();
    if (first != null) {
      LockSupport.unpark(first.thread);
    }
  }

  private synchronized boolean isToAct(Waiter waiter) {
    return waiters.peek() == waiter && !collecting;
  }

  private synchronized boolean isQuietFor(long nanos) {
    return System.nanoTime() - quietSinceNanos >= nanos;
  }

  /** Whether one has started since the waiter came and since anybody was served. */
  private boolean hasSeenCollection(Waiter waiter) {
    return collections > Math.max(waiter.collectionsAtArrival, collectionsWhenServed);
  }

  private synchronized boolean startsCollection(Waiter waiter) {
    if (waiter.served || hasSeenCollection(waiter)) {
      return false;
    }
    collections++;
    collecting = true;
    return true;
  }

  private void collect() {
    boolean tookPlace = true;
    try {
      tookPlace = ForcedCollection.ask(budget);
    } finally {
      ended(tookPlace);
    }
  }

  private synchronized void ended(boolean tookPlace) {
    explicitCollectionOff = !tookPlace;
    collecting = false;
    quietSinceNanos = System.nanoTime();
    wakeFirst();
  }

  /** In one step, so that nobody is served after it gave up. */
  private synchronized boolean givesUp(Waiter waiter) {
    if (waiter.served || !hasSeenCollection(waiter) || !isQuietFor(PATIENCE_NANOS)) {
      return false;
    }
    leave(waiter);
    return true;
  }
}
