package dev.rockpool.direct;

import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for bytes of one budget, in FIFO order.
 *
 * <p>The thread that credits bytes takes them for the first waiter as soon as its request fits, and
 * then for the next one. No waiter has to wake up to take its bytes, and no request passes another,
 * except once before that one would be refused. Therefore small requests do not starve a large one.
 *
 * <p>The {@link Reclaimer} drives all lines, and frees what collections find meanwhile. For each
 * line it does what is due, depending on how long nothing was credited:
 *
 * <ol>
 *   <li>after {@link #REPORT_NANOS}, ask for a garbage collection, unless one has started since the
 *       first waiter arrived, and no waiter was served since: it would find nothing new;
 *   <li>after {@link #LATE_NANOS}, ask again if other threads have arrived since, because they may
 *       have left garbage;
 *   <li>after {@link #PATIENCE_NANOS}, serve the waiters behind the first one that fit, because
 *       they may free memory, and begin anew. If there are none, or the first waiter has let others
 *       pass before, refuse it.
 * </ol>
 *
 * <p>A collection counts for all waiters of all lines that have come before it.
 *
 * <p>Fields are guarded by the monitor of this object, unless stated otherwise. The monitor is not
 * held while garbage is collected.
 */
final class WaitingLine {
  /** Collections report unreachable blocks with a delay. */
  private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The JDK waits for direct memory about as long. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How long a waiter sleeps between two looks for blocks that it can free. */
  private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Most collections without a credit, so that arriving threads do not keep others waiting. */
  private static final int MAX_FRUITLESS_GCS = 4;

  private static final Set<WaitingLine> OCCUPIED = ConcurrentHashMap.newKeySet();

  /** Number of collections asked for, including a running one. Only the reclaimer writes it. */
  private static volatile long collections;

  /** Whether the last requested collection did not take place. */
  private static volatile boolean explicitCollectionOff;

  private final DirectMemory memory;

  /** In FIFO order. Concurrent, because waiters are removed while it is iterated. */
  private final ConcurrentLinkedDeque<Waiter> waiters = new ConcurrentLinkedDeque<>();

  /** Whether there are waiters. Written with the monitor, read by any thread. */
  private volatile boolean occupied;

  /** Number of collections since the last credit, or since a waiter was refused. */
  private int fruitless;

  /** Value of {@link #collections} when a waiter was last served. */
  private long collectionsWhenServed;

  /** Time of the last credit, end of a collection, or empty line. */
  private long quietSinceNanos;

  WaitingLine(DirectMemory memory) {
    this.memory = memory;
  }

  boolean isOccupied() {
    return occupied;
  }

  static boolean anyIsOccupied() {
    return !OCCUPIED.isEmpty();
  }

  static boolean isExplicitCollectionOff() {
    return explicitCollectionOff;
  }

  synchronized int length() {
    return waiters.size();
  }

  static long collections() {
    return collections;
  }

  /**
   * Waits until the bytes are taken or refused; returns whether they are taken. An interrupt does
   * not end the wait, and is kept.
   *
   * @throws OutOfMemoryError if the system has no thread for the reclaimer
   */
  boolean await(long byteSize) {
    Reclaimer.start();
    DirectMonitor.@Nullable Event event = DirectMonitor.beginWait(byteSize);
    Waiter waiter = new Waiter(byteSize);
    enter(waiter);
    boolean interrupted = false;
    Boolean served = waiter.served;
    for (; served == null; served = waiter.served) {
      Reclaimer.wake();
      while (waiter.served == null && Reclaimer.tryFreeSome()) {}
      if (waiter.served == null) {
        // Names no blocker: LockSupport.getBlocker would hand this monitor to the program.
        LockSupport.parkNanos(SLEEP_NANOS);
      }
      interrupted |= Thread.interrupted(); // a thread that is interrupted does not park
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (event != null) {
      event.end(memory, length(), served);
    }
    return served;
  }

  /** Enqueues the waiter, and serves it if there are bytes. */
  synchronized void enter(Waiter waiter) {
    if (waiters.isEmpty()) {
      quietSinceNanos = System.nanoTime();
    }
    waiters.add(waiter);
    occupied = true; // before the look for bytes: a thread that credits looks the other way round
    OCCUPIED.add(this);
    serve();
  }

  /** Call after bytes were credited or kept. */
  synchronized void credited() {
    quietSinceNanos = System.nanoTime();
    fruitless = 0;
    serve();
  }

  /** Takes free bytes for waiters, in FIFO order. */
  private synchronized void serve() {
    Waiter head = waiters.peek();
    while (head != null && memory.tryReserve(head.byteSize)) {
      finish(head, true);
      head = waiters.peek();
    }
    if (head == null) {
      occupied = false;
      OCCUPIED.remove(this);
    }
  }

  private synchronized void finish(Waiter waiter, boolean served) {
    waiter.served = served;
    if (served) {
      collectionsWhenServed = collections;
    }
    waiters.remove(waiter);
    LockSupport.unpark(waiter.thread);
  }

  /**
   * Does what is due for all lines; returns the nanoseconds until something else may be. For the
   * thread of the reclaimer only.
   */
  static long driveAll() {
    long nanos = Long.MAX_VALUE;
    for (WaitingLine line : OCCUPIED) {
      long due = line.refuseOrPause();
      if (due == 0) {
        line.collect();
      }
      nanos = Math.min(nanos, due);
    }
    return nanos;
  }

  /** Returns the nanoseconds until something is due; 0 if that is a collection, now. */
  private synchronized long refuseOrPause() {
    serve();
    for (Waiter head = waiters.peek(); head != null; head = waiters.peek()) {
      boolean first = !hasSeenCollection(head);
      boolean late = fruitless < MAX_FRUITLESS_GCS && !hasSeenCollection(waiters.getLast());
      long due = first ? REPORT_NANOS : late ? LATE_NANOS : PATIENCE_NANOS;
      long quiet = System.nanoTime() - quietSinceNanos;
      if (quiet < due) {
        return due - quiet;
      }
      if (first || late) {
        return 0;
      }
      if (!letOthersPass(head)) {
        fruitless = 0;
        finish(head, false);
        serve();
      }
    }
    return Long.MAX_VALUE;
  }

  /** Whether a collection has started since the waiter arrived and since one was last served. */
  private synchronized boolean hasSeenCollection(Waiter waiter) {
    return collections > Math.max(waiter.collectionsAtArrival, collectionsWhenServed);
  }

  /**
   * Serves all waiters behind the first one that fit, unless it has let others pass before; returns
   * whether one was served.
   */
  private synchronized boolean letOthersPass(Waiter head) {
    if (head.hasLetPass) {
      return false;
    }
    for (Waiter waiter : waiters) {
      if (!waiter.equals(head) && memory.tryReserve(waiter.byteSize)) {
        finish(waiter, true);
        head.hasLetPass = true;
      }
    }
    return head.hasLetPass;
  }

  private void collect() {
    DirectMonitor.@Nullable Event event = DirectMonitor.beginCollection();
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    long number = collections + 1;
    collections = number;
    System.gc(); // returns when it is done; its blocks arrive in the queue with a delay
    boolean tookPlace = garbage.refersTo(null);
    explicitCollectionOff = !tookPlace;
    for (WaitingLine line : OCCUPIED) {
      line.collected();
    }
    if (event != null) {
      event.end(memory, length(), tookPlace);
    }
  }

  private synchronized void collected() {
    fruitless++;
    quietSinceNanos = System.nanoTime();
  }

  /** A waiting thread and its request. */
  static final class Waiter {
    final long byteSize;
    private final Thread thread = Thread.currentThread();

    /** A collection that starts after this finds the garbage that the thread has left. */
    private final long collectionsAtArrival = collections;

    /** Whether waiters behind were served while this was the first. Guarded by the line. */
    private boolean hasLetPass;

    /** Whether the bytes are taken for the waiter, or refused; null until that is decided. */
    volatile @Nullable Boolean served;

    Waiter(long byteSize) {
      this.byteSize = byteSize;
    }
  }
}
