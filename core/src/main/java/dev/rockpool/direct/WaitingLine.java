package dev.rockpool.direct;

import dev.rockpool.internal.StackSpace;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for memory of one budget, in FIFO order.
 *
 * <p>The thread that credits bytes reserves them for the first waiter as soon as its request fits,
 * and then for the next one. No waiter has to wake up to take its bytes, and no request passes
 * another, except before that one gives up. Therefore small requests do not starve a large one.
 *
 * <p>One waiter, the actor, acts for all; the others are parked. The actor repeats these steps:
 *
 * <ol>
 *   <li>free the blocks that the garbage collector found unreachable, some at a time, until the
 *       actor is served or no block is left;
 *   <li>wait a moment, because collections report unreachable blocks with a delay;
 *   <li>ask for a garbage collection, unless one has started since the actor arrived, and no waiter
 *       was served since: another collection would find nothing new. A little later ask again if
 *       other threads have arrived since, because they may have left garbage;
 *   <li>pause, each time longer, until nothing was credited for {@link #PATIENCE_NANOS}; then look
 *       through all blocks for unreachable ones that were not passed on yet. If there are none,
 *       serve the waiters behind that fit, because they may free memory, and begin anew. If there
 *       are none either, or the first waiter has let others pass before, give up.
 * </ol>
 *
 * <p>The collection and the quiet time count for all waiters. When a waiter gives up, the waiters
 * before it give up first; the waiters behind it that came before the collection follow without
 * another collection.
 *
 * <p>The actor has a lease, because it may stop running. Example: other waiters, called back by
 * native functions, keep the carrier of a virtual thread. Each waiter wakes up now and then and
 * serves the line. It takes over a lease that was not renewed for {@link #LEASE_NANOS}.
 *
 * <p>Fields are guarded by the monitor of this object, unless stated otherwise. The monitor is
 * never held while blocks are freed or garbage is collected. Each change is a sequence of plain
 * writes without a call in between, which the end of the stack could prevent.
 */
final class WaitingLine {
  /** The JDK waits for direct memory about as long. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(128);

  /** The quiet time before a collection for threads that arrived after the last one. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Most collections without a credit, so that arriving threads do not keep others waiting. */
  private static final int MOST_IN_VAIN = 4;

  /** Several pauses long, so that a running actor keeps the lease. */
  private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Longest sleep of a waiter without the lease. */
  private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Some 32 KiB of stack: {@code unpark} may start a thread of the scheduler. */
  private static final int FRAMES_TO_WAKE = 1024;

  private final Budget budget;

  /** Written with the monitor, read by any thread. */
  private volatile @Nullable Waiter first;

  private @Nullable Waiter last;

  /** The waiter that has the lease. */
  private @Nullable Waiter actor;

  /** Number of requested collections so far, a running one included. */
  private long collections;

  /** Number of the last collection that has taken place. */
  private long lastCollection;

  /** Number of collections since the last credit, or since a waiter gave up. */
  private int inVain;

  /** Value of {@link #collections} when a waiter was last served. */
  private long collectionsWhenServed;

  /** Time of the last credit, end of a collection, or empty line. */
  private long quietSinceNanos;

  /** Whether the last requested collection did not take place. */
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

  synchronized int length() {
    int length = 0;
    for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
      length++;
    }
    return length;
  }

  /** For tests: number of requested collections. */
  synchronized long collections() {
    return collections;
  }

  /**
   * Waits in line; returns {@link Waiter#served}, which also tells the outcome if this throws. An
   * interrupt does not end the wait, and is kept.
   */
  boolean await(Waiter waiter) {
    DirectMonitor.@Nullable Event event = DirectMonitor.beginWait(waiter.byteSize);
    try {
      enter(waiter);
      return waitUntilServed(waiter);
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
      // The program asked for memory, not for an event.
      return;
    }
  }

  private boolean waitUntilServed(Waiter waiter) {
    boolean interrupted = false;
    long pauseNanos = FIRST_PAUSE_NANOS;
    try {
      while (!waiter.served && !waiter.gone) {
        // A thread that is interrupted does not park.
        interrupted |= Thread.interrupted();
        if (!tryLease(waiter)) {
          sleep(waiter, SLEEP_NANOS);
        } else if (Reclaimer.freeSome()) {
          pauseNanos = FIRST_PAUSE_NANOS;
        } else if (isQuietFor(FIRST_PAUSE_NANOS) && tryCollect(waiter)) {
          pauseNanos = FIRST_PAUSE_NANOS;
        } else if (isQuietFor(PATIENCE_NANOS)
            && Blocks.freeUnreachable() == 0
            && tryGiveUp(waiter)) {
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

  /** Names no blocker: {@code LockSupport.getBlocker} would hand this monitor to the program. */
  private static void sleep(Waiter waiter, long nanos) {
    if (!waiter.served) {
      LockSupport.parkNanos(nanos);
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
    inVain = 0;
    serve();
  }

  /**
   * Reserves free bytes for waiters, in FIFO order, and takes the served ones out of the line. Call
   * with the monitor.
   */
  private void serve() {
    boolean changed = false;
    for (Waiter head = first; head != null; head = first) {
      boolean gone = head.gone;
      if (!gone && !budget.tryReserve(head.byteSize)) {
        break;
      }
      head.served = !gone;
      // As in unlink, but without a call: there may be no stack left.
      Waiter second = head.next;
      first = second;
      if (second == null) {
        last = null;
      } else {
        second.previous = null;
      }
      head.next = null;
      head.inLine = false;
      if (actor == head) {
        actor = null;
      }
      if (!gone) {
        collectionsWhenServed = collections;
      }
      changed = true;
      wake(head);
    }
    if (changed) {
      wakeFirst();
    }
  }

  /** Takes a waiter out of the line. Call with the monitor. */
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
    if (actor == waiter) {
      actor = null;
    }
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

  /** Wakes the first waiter, which takes the lease. Call with the monitor. */
  private void wakeFirst() {
    Waiter next = first;
    if (next != null) {
      wake(next);
    }
  }

  /**
   * Wakes a waiter, or lets it sleep on if there is too little stack: within {@link #SLEEP_NANOS}
   * each waiter wakes by itself. A virtual thread would never run again if the stack ended inside
   * {@code unpark}, which sets the state of that thread and then submits its continuation.
   */
  private static void wake(Waiter waiter) {
    try {
      if (waiter.thread.isVirtual()) {
        StackSpace.require(FRAMES_TO_WAKE);
      }
    } catch (StackOverflowError tooLittle) {
      return;
    }
    LockSupport.unpark(waiter.thread);
  }

  private synchronized boolean tryLease(Waiter waiter) {
    serve(); // the stack of the thread that credited bytes may have ended before it served
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

  /**
   * Whether a collection has started since the waiter arrived and since one was last served. Call
   * with the monitor.
   */
  private boolean hasSeenCollection(Waiter waiter) {
    return lastCollection > Math.max(waiter.collectionsAtArrival, collectionsWhenServed);
  }

  private boolean tryCollect(Waiter waiter) {
    if (!isToCollect(waiter)) {
      return false;
    }
    // All that allocates comes before other threads rely on this collection.
    DirectMonitor.@Nullable Event event = DirectMonitor.beginCollection();
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    if (!startsCollection(waiter)) {
      return false;
    }
    boolean tookPlace = true;
    try {
      System.gc(); // returns when it is done; its blocks arrive in the queue with a delay
      tookPlace = garbage.refersTo(null);
    } finally {
      waiter.collecting = false;
    }
    ended(waiter, tookPlace);
    end(event, tookPlace);
    return true;
  }

  private synchronized boolean isToCollect(Waiter waiter) {
    Waiter latest = last;
    return actor == waiter
        && latest != null
        && (!hasSeenCollection(waiter)
            || (inVain < MOST_IN_VAIN && isQuietFor(LATE_NANOS) && !hasSeenCollection(latest)));
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
    inVain++;
    quietSinceNanos = System.nanoTime();
    waiter.beatNanos = quietSinceNanos;
  }

  /**
   * Gives up for the waiters before this one, one after the other, and then for this one. The
   * earlier waiters have seen the collection, too; bytes too few for one of them may serve the
   * next.
   *
   * <p>One step under the monitor, so that no waiter is served after it gave up.
   *
   * @return whether the waiter gave up; false if it was served
   */
  private synchronized boolean tryGiveUp(Waiter waiter) {
    if (waiter.served || !hasSeenCollection(waiter) || !isQuietFor(PATIENCE_NANOS)) {
      return false;
    }
    if (letOthersPass()) {
      return false;
    }
    inVain = 0;
    for (Waiter head = first; head != null && waiter.inLine; head = first) {
      leave(head);
      wake(head);
    }
    return !waiter.served;
  }

  /**
   * Serves all waiters behind the first one that fit, unless it has let others pass before; returns
   * whether one was served. Call with the monitor.
   */
  private boolean letOthersPass() {
    Waiter head = first;
    if (head == null || head.letPass) {
      return false;
    }
    Waiter before = head;
    for (Waiter each = head.next; each != null; each = before.next) {
      if (each.gone || !budget.tryReserve(each.byteSize)) {
        before = each;
        continue;
      }
      each.served = true;
      // As in unlink, but without a call: there may be no stack left.
      Waiter behind = each.next;
      before.next = behind;
      if (behind == null) {
        last = before;
      } else {
        behind.previous = before;
      }
      each.previous = null;
      each.next = null;
      each.inLine = false;
      if (actor == each) {
        actor = null;
      }
      collectionsWhenServed = collections;
      head.letPass = true;
      wake(each);
    }
    return head.letPass;
  }

  /**
   * A waiting thread and its request. The links are fields, so that a change to the line allocates
   * nothing. The monitor of the line guards the fields from here to {@code collection}.
   */
  static final class Waiter {
    final long byteSize;
    final Thread thread = Thread.currentThread();
    @Nullable Waiter previous;
    @Nullable Waiter next;
    boolean inLine;

    /** Whether waiters behind were served while this was the first. */
    boolean letPass;

    /** Number of requested collections when this waiter came. */
    long collectionsAtArrival;

    /** Number of the last collection that this waiter started. */
    long collection;

    /** Next waiter of the same block. Guarded by that block. */
    @Nullable Waiter nextOfBlock;

    /** Whether the bytes are reserved; written once, by the thread that reserved them. */
    volatile boolean served;

    /** Whether not to be served any more. Setting it needs neither monitor nor stack. */
    volatile boolean gone;

    /** Time of the last renewal of the lease. */
    volatile long beatNanos;

    /** Whether the thread is in {@code System.gc()}, from which it comes back by itself. */
    volatile boolean collecting;

    Waiter(long byteSize) {
      this.byteSize = byteSize;
    }
  }
}
