package dev.rockpool.direct;

import dev.rockpool.internal.Usability;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for bytes of one budget. No request blocks another: what fits is served at
 * once, a refund serves the oldest waiters that fit, and each waiter has a deadline of its own.
 * Only a garbage collection that may help, and is under way by then, puts that off to its end.
 *
 * <pre>
 *            bytes are charged for it           it wakes up in time
 *   WAITING --------------------------&gt; OFFERED --------------------&gt; TAKEN
 *      |                                   |
 *      | its deadline has passed           | it did not, for a second: its thread has died
 *      v                                   v
 *     GONE: refused                       GONE: the bytes are refunded
 * </pre>
 *
 * <p>A waiter may ask the {@link Collector} for a garbage collection, if none has begun since it
 * came. After a collection that found nothing of this budget there is a pause, which doubles: then
 * nobody asks, and once nothing was refunded either, requests are refused at once.
 */
final class Waiters {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** After a fruitless collection none begins for 100 times as long as it took, at least this. */
  private static final long LEAST_LAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int LAST_PAUSE_FACTOR = 100;

  /** What a collection has found arrives so late, by the JVM's threads and by ours. */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Without a refund for so long after a fruitless collection, requests are refused at once. */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Collections whose end a request may see, where each takes a long time. */
  private static final int MOST_COLLECTIONS = 3;

  private static final long FIRST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A waiter that is so late has died. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Budget budget;
  private final long waitNanos;

  /** The oldest first; with some that have ended. Guarded by this. */
  private final Set<Waiter> waiting = new LinkedHashSet<>();

  /** Whether {@code waiting} is not empty. Written with the monitor. */
  private volatile boolean isOccupied;

  /** The number of collections that had begun when bytes were last refunded. */
  private volatile long refundedAfter = -1;

  /** The number of collections that had begun when unreachable bytes were last found. */
  private volatile long foundAfter;

  /** When a collection was last asked for, and how long not to ask again. Guarded by this. */
  private long askedNanos;

  private long pauseNanos;

  Waiters(Budget budget, long waitNanos) {
    this.budget = budget;
    this.waitNanos = waitNanos;
  }

  enum State {
    WAITING,
    OFFERED,
    TAKEN,
    GONE
  }

  /** A request that waits. */
  final class Waiter {
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    final long byteSize;
    final Thread thread = Thread.currentThread();
    final long deadlineNanos = System.nanoTime() + waitNanos;

    /** A collection that begins after this finds the garbage that the thread has left. */
    final long begunAtArrival = Collector.begun();

    Waiter(long byteSize) {
      this.byteSize = byteSize;
    }

    /**
     * Returns how long to wait yet: a collection that came for it shows what it found. If others
     * got that, a further one or two may end that have begun meanwhile.
     */
    long left() {
      long left = deadlineNanos - System.nanoTime();
      long most = begunAtArrival + (foundAfter > begunAtArrival ? MOST_COLLECTIONS : 1);
      boolean comes = Collector.begun() <= most && !Collector.hasEndedBefore(SETTLE_NANOS);
      return left <= 0 && comes ? FIRST_NAP_NANOS : left;
    }

    boolean is(State expected) {
      return state.get() == expected;
    }

    boolean tryMove(State from, State to) {
      return state.compareAndSet(from, to);
    }

    /** Whether it needs none: it has its bytes, has ended, one came for it, or there is room. */
    boolean needsNoCollection() {
      return !is(State.WAITING) || Collector.begun() != begunAtArrival || byteSize <= budget.free();
    }

    Budget budget() {
      return budget;
    }
  }

  /** Whether some may wait. */
  boolean areThere() {
    return isOccupied;
  }

  synchronized int length() {
    return (int) waiting.stream().filter(waiter -> waiter.is(State.WAITING)).count();
  }

  /**
   * Waits until bytes are charged or refused; returns whether they are charged. First helps to free
   * what is unreachable. An interrupt does not end the wait, and is kept.
   */
  boolean await(long byteSize) {
    Usability.requireStack(Usability.WAIT_CALLS);
    Waiter waiter = new Waiter(byteSize);
    boolean helps = true;
    while (helps && Reclaimer.tryFreeSome()) {
      if (budget.tryCharge(byteSize)) {
        return true;
      }
      helps = waitNanos > 0;
    }
    DirectMonitor.@Nullable Event event = // first, because it may take longer than a collection
        budget.isRecorded() ? DirectMonitor.beginWait(byteSize) : null;
    boolean isAsked = tryAskForCollection(waiter);
    if (waitNanos == 0 || (!isAsked && isHopeless())) {
      return false;
    }
    enter(waiter);
    boolean wasInterrupted = false;
    long nap = FIRST_NAP_NANOS;
    for (long left = waiter.left(); waiter.is(State.WAITING) && left > 0; left = waiter.left()) {
      // Names no blocker: LockSupport.getBlocker would hand this object to the program.
      LockSupport.parkNanos(Math.min(nap, left));
      wasInterrupted |= Thread.interrupted(); // a thread that is interrupted does not park
      nap = Math.min(2 * nap, LONGEST_NAP_NANOS);
      while (waiter.is(State.WAITING) && Reclaimer.tryFreeSome()) {}
      tryAskForCollection(waiter);
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (event != null) {
      event.end(budget, length(), waiter.is(State.OFFERED));
    }
    return !waiter.tryMove(State.WAITING, State.GONE) && waiter.tryMove(State.OFFERED, State.TAKEN);
  }

  synchronized void enter(Waiter waiter) {
    waiting.add(waiter);
    isOccupied = true; // before the look for bytes: a thread that refunds looks the other way round
    serve(0);
  }

  /** Refunds bytes, to the oldest waiters that fit before anybody else. */
  void refund(long byteSize) {
    noteRefund();
    if (isOccupied) {
      serve(byteSize);
      return;
    }
    budget.release(byteSize);
    try {
      if (isOccupied) {
        serve(0);
      }
    } catch (StackOverflowError end) {
      return; // the bytes are refunded: the next refund serves
    }
  }

  /** Call after the limit has changed. */
  void serve() {
    noteRefund();
    if (isOccupied) {
      serve(0);
    }
  }

  private void noteRefund() {
    long last = Collector.begun();
    if (refundedAfter != last) {
      refundedAfter = last;
    }
  }

  /** Call after bytes were refunded that the collector has found. */
  void noteFound() {
    long last = Collector.begun();
    if (foundAfter != last) {
      foundAfter = last;
    }
  }

  /** Offers bytes in hand, and those that are free, to the oldest waiters that fit. */
  private synchronized void serve(long inHand) {
    long excess = Math.clamp(-budget.free(), 0L, inHand); // beyond a limit that has fallen
    budget.release(excess);
    long rest = inHand - excess;
    try {
      long now = System.nanoTime();
      long tooLarge = Long.MAX_VALUE;
      for (Iterator<Waiter> all = waiting.iterator(); all.hasNext(); ) {
        Waiter waiter = all.next();
        boolean isLate = now - waiter.deadlineNanos > LATE_NANOS + Collector.tookNanos();
        if (waiter.is(State.TAKEN)
            || waiter.is(State.GONE)
            || (isLate && waiter.tryMove(State.WAITING, State.GONE))) {
          all.remove();
        } else if (isLate && waiter.tryMove(State.OFFERED, State.GONE)) {
          all.remove();
          rest += waiter.byteSize;
        } else if (waiter.is(State.WAITING) && waiter.byteSize < tooLarge) {
          long lacking = Math.max(0, waiter.byteSize - rest);
          if (lacking > 0 && !budget.tryCharge(lacking)) {
            tooLarge = waiter.byteSize;
          } else if (waiter.tryMove(State.WAITING, State.OFFERED)) {
            rest += lacking - waiter.byteSize;
            LockSupport.unpark(waiter.thread);
          } else {
            rest += lacking;
          }
        }
      }
      isOccupied = !waiting.isEmpty();
    } catch (OutOfMemoryError noHeap) { // for an iterator: the next refund serves
      isOccupied = true;
    } finally {
      budget.release(rest);
    }
  }

  /** Whether a collection has just found nothing, and nothing was refunded since. */
  boolean isHopeless() {
    long last = Collector.begun();
    return foundAfter != last
        && refundedAfter != last
        && Collector.hasEndedBefore(QUIET_NANOS)
        && budget.holdsCollectible();
  }

  /** Asks for a collection that nobody waits for. */
  void askForCollection() {
    tryAskForCollection(new Waiter(Long.MAX_VALUE));
  }

  /** Has a collection begin for the waiter if one may; returns whether it will. */
  private synchronized boolean tryAskForCollection(Waiter waiter) {
    if (Collector.begun() != waiter.begunAtArrival) {
      return false;
    }
    if (!Collector.isAsked()) {
      long now = System.nanoTime();
      boolean isFruitful = foundAfter == Collector.begun();
      if ((!isFruitful && now - askedNanos < pauseNanos) || !budget.holdsCollectible()) {
        return false;
      }
      askedNanos = now;
      long last = Math.max(LEAST_LAST_PAUSE_NANOS, LAST_PAUSE_FACTOR * Collector.tookNanos());
      pauseNanos = Math.clamp(isFruitful ? 0 : 2 * pauseNanos, FIRST_PAUSE_NANOS, last);
    }
    Collector.ask(waiter);
    return true;
  }
}
