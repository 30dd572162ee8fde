package dev.rockpool.direct;

import java.lang.ref.WeakReference;
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
 * <p>One of those in line acts for all; the others are parked. It does, over and over:
 *
 * <ol>
 *   <li>free what the garbage collector found unreachable, one block at a time, until it is served
 *       or nothing is left;
 *   <li>wait a moment, as collections report what they found with a delay;
 *   <li>ask for a garbage collection, unless one has started since it arrived and nobody has been
 *       served since: another would find nothing new;
 *   <li>pause, each time longer, until nothing was credited for {@link #PATIENCE_NANOS}; then look
 *       through all blocks for what is unreachable and was not passed on yet, and if there is none,
 *       give up.
 * </ol>
 *
 * <p>The collection and the quiet time count for all in line. When one gives up, those before it
 * give up first; those behind it that came before the collection follow, with none of their own.
 *
 * <p>To act is a lease. A virtual thread whose carrier is kept by others that wait, called back by
 * native functions, does not run again before they are done. So nobody relies on another thread to
 * run: each wakes up now and then, hands out what there is, and acts itself if whoever has the
 * lease did not show for {@link #LEASE_NANOS}.
 *
 * <p>Fields are guarded by the monitor of this object, except where they say otherwise. It is never
 * held while anything is freed or collected. Each change is made by plain writes, with no call in
 * between that the end of the stack could prevent.
 */
final class WaitingLine {
  /** The JDK's own patience with direct memory is of that order. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(128);

  /** Several pauses, so that a running thread keeps the lease. */
  private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Longest sleep of a waiter without the lease. */
  private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Budget budget;

  /** Written with the monitor, read by everybody. */
  private volatile @Nullable Waiter first;

  private @Nullable Waiter last;

  /** The waiter that has the lease. */
  private @Nullable Waiter actor;

  /** Collections asked for so far, the one that is running included. */
  private long collections;

  /** Number of the last collection that has taken place. */
  private long lastCollection;

  /** Value of {@link #collections} when a waiter was last served. */
  private long collectionsWhenServed;

  /** Time of the last credit, end of a collection, or empty line. */
  private long quietSinceNanos;

  /** Whether the last collection did not take place. */
  private volatile boolean explicitCollectionOff;

  WaitingLine(Budget budget) {
    this.budget = budget;
  }

  boolean isOccupied() {
    return first != null;
  }

  boolean isExplicitCollectionOff() {
    return explicitCollectionOff;
  }

  /** Number of waiters. */
  synchronized int length() {
    int length = 0;
    for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
      length++;
    }
    return length;
  }

  /** For tests: number of collections asked for. */
  synchronized long collections() {
    return collections;
  }

  /**
   * Waits in line. An interrupt does not end that, and is kept.
   *
   * @param waiter of this thread. Whether it was served is for whoever made it to look up, also
   *     when this throws
   * @return whether it was served
   */
  boolean await(Waiter waiter) {
    DirectMonitor.@Nullable Event event = DirectMonitor.beginWait(waiter.byteSize);
    try {
      enter(waiter);
      return isServed(waiter);
    } finally {
      waiter.gone = true;
      if (!waiter.served) {
        leave(waiter);
      }
      end(event, waiter.served);
    }
  }

  private void end(DirectMonitor.@Nullable Event event, boolean succeeded) {
    try {
      if (event != null) {
        event.end(budget.reserved(), budget.limit(), length(), succeeded);
      }
    } catch (Throwable noEvent) {
      // The program asked for memory, not for this.
      return;
    }
  }

  private boolean isServed(Waiter waiter) {
    boolean interrupted = false;
    long pauseNanos = FIRST_PAUSE_NANOS;
    try {
      while (!waiter.served && !waiter.gone) {
        // A thread that is interrupted does not park.
        interrupted |= Thread.interrupted();
        if (!isToAct(waiter)) {
          sleep(waiter, SLEEP_NANOS);
        } else if (Reclaimer.freeOne()) {
          pauseNanos = FIRST_PAUSE_NANOS;
        } else if (isQuietFor(FIRST_PAUSE_NANOS) && collects(waiter)) {
          pauseNanos = FIRST_PAUSE_NANOS;
        } else if (isQuietFor(PATIENCE_NANOS) && Blocks.freeUnreachable() == 0 && givesUp(waiter)) {
          return false;
        } else {
          sleep(waiter, pauseNanos);
          pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
      }
      return waiter.served;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void sleep(Waiter waiter, long nanos) {
    if (!waiter.served) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Enqueues the waiter and serves it if memory is free; otherwise {@link #await} waits. */
  synchronized void enter(Waiter waiter) {
    long now = System.nanoTime();
    Waiter before = last;
    waiter.collectionsAtArrival = collections;
    waiter.previous = before;
    waiter.inLine = true;
    last = waiter;
    if (before == null) {
      quietSinceNanos = now;
      first = waiter;
    } else {
      before.next = waiter;
    }
    serve();
  }

  /** Call after bytes were credited. */
  synchronized void credited() {
    quietSinceNanos = System.nanoTime();
    serve();
  }

  /** Hands out what there is, in order. */
  private void serve() {
    boolean changed = false;
    for (Waiter head = first; head != null; head = first) {
      boolean gone = head.gone;
      if (!gone && !budget.tryReserve(head.byteSize)) {
        break;
      }
      head.served = !gone;
      // As in unlink, but without a call.
      Waiter second = head.next;
      first = second;
      if (second == null) {
        last = null;
      } else {
        second.previous = null;
      }
      head.next = null;
      head.inLine = false;
      actor = actor == head ? null : actor;
      collectionsWhenServed = gone ? collectionsWhenServed : collections;
      changed = true;
      LockSupport.unpark(head.thread);
    }
    if (changed) {
      wakeFirst();
    }
  }

  /** To be called with the monitor. */
  private void unlink(Waiter waiter) {
    Waiter before = waiter.previous;
    Waiter behind = waiter.next;
    if (before == null) {
      first = behind;
    } else {
      before.next = behind;
    }
    if (behind == null) {
      last = before;
    } else {
      behind.previous = before;
    }
    waiter.previous = null;
    waiter.next = null;
    waiter.inLine = false;
    actor = actor == waiter ? null : actor;
  }

  /** Takes the waiter out of the line; it may have been served before. Idempotent. */
  synchronized void leave(Waiter waiter) {
    waiter.gone = true;
    if (waiter.inLine) {
      unlink(waiter);
      serve();
      wakeFirst();
    }
  }

  /** It takes the lease, if it runs. */
  private void wakeFirst() {
    Waiter next = first;
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  private synchronized boolean isToAct(Waiter waiter) {
    serve(); // as whoever credited something may have met the end of its stack before that
    long now = System.nanoTime();
    Waiter other = actor;
    if (!waiter.inLine || (other != null && other != waiter && isActing(other, now))) {
      return false;
    }
    waiter.beatNanos = now;
    actor = waiter;
    return true;
  }

  private static boolean isActing(Waiter waiter, long now) {
    return waiter.collecting || now - waiter.beatNanos < LEASE_NANOS;
  }

  private synchronized boolean isQuietFor(long nanos) {
    return System.nanoTime() - quietSinceNanos >= nanos;
  }

  /** Whether a collection has started since the waiter arrived and nobody was served since. */
  private boolean hasSeenCollection(Waiter waiter) {
    return lastCollection > Math.max(waiter.collectionsAtArrival, collectionsWhenServed);
  }

  private boolean collects(Waiter waiter) {
    if (!isToCollect(waiter)) {
      return false;
    }
    // Everything that allocates comes before others rely on it.
    ForcedCollection collection = ForcedCollection.prepared();
    if (!startsCollection(waiter)) {
      return false;
    }
    boolean tookPlace = true;
    try {
      tookPlace = collection.run();
    } finally {
      waiter.collecting = false;
    }
    ended(waiter, tookPlace);
    end(collection.event(), tookPlace);
    return true;
  }

  private synchronized boolean isToCollect(Waiter waiter) {
    return actor == waiter && !hasSeenCollection(waiter);
  }

  private synchronized boolean startsCollection(Waiter waiter) {
    if (!isToCollect(waiter)) {
      return false;
    }
    collections++;
    waiter.collection = collections;
    waiter.beatNanos = System.nanoTime();
    waiter.collecting = true;
    return true;
  }

  private synchronized void ended(Waiter waiter, boolean tookPlace) {
    explicitCollectionOff = !tookPlace;
    lastCollection = Math.max(lastCollection, waiter.collection);
    quietSinceNanos = System.nanoTime();
    waiter.beatNanos = quietSinceNanos;
  }

  /**
   * Gives up for a waiter, and in its place for those before it, one after the other: they came
   * earlier, so they have seen the collection, too, and what holds them up may serve the next.
   *
   * <p>In one step, so that nobody is served after it gave up.
   *
   * @return whether the waiter was not served by that
   */
  private synchronized boolean givesUp(Waiter waiter) {
    if (waiter.served || !hasSeenCollection(waiter) || !isQuietFor(PATIENCE_NANOS)) {
      return false;
    }
    for (Waiter head = first; head != null && waiter.inLine; head = first) {
      leave(head);
      LockSupport.unpark(head.thread);
    }
    return !waiter.served;
  }

  /**
   * A garbage collection that is asked for.
   *
   * @param event what tells of it, or null
   * @param garbage an object that nothing reaches, to see whether the collection took place
   */
  private record ForcedCollection(
      DirectMonitor.@Nullable Event event, WeakReference<Object> garbage) {
    /** One that is to be run at once. */
    static ForcedCollection prepared() {
      DirectMonitor.@Nullable Event event = DirectMonitor.beginCollection();
      return new ForcedCollection(event, new WeakReference<>(new Object()));
    }

    /**
     * Asks for a collection of everything and waits until it is done. What it found arrives in the
     * queue of {@link Reclaimer} with a delay.
     *
     * @return false if it did not take place ({@code -XX:+DisableExplicitGC})
     */
    boolean run() {
      System.gc();
      return garbage.refersTo(null);
    }
  }

  /**
   * A thread in line, and what it waits for. The links are in here, so that nothing has to be
   * allocated while the line changes.
   */
  static final class Waiter {
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

    /**
     * Whether the bytes are reserved. Written once, directly after they were, by whoever did it.
     */
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
}
