package dev.rockpool.direct;

import dev.rockpool.direct.Waiters.Waiter;
import dev.rockpool.internal.Daemon;
import java.lang.ref.WeakReference;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Collects garbage for the {@link Waiters} of all budgets, one collection at a time, for a request
 * that came after the last one began. Does so on the thread {@code rockpool-collector}, which ends
 * when nobody has asked for some seconds, so that no request takes longer than it may.
 */
final class Collector {
  private static final long IDLE_SECONDS = 5;

  /** The request for which a collection is to begin. */
  private static final AtomicReference<@Nullable Waiter> ASKING = new AtomicReference<>();

  /** Number of collections that have begun. Only the thread writes this and the next four. */
  private static volatile long begun;

  private static volatile boolean collects;
  private static volatile long endedNanos = System.nanoTime();
  private static volatile long tookNanos;

  /** Whether the last requested collection did not take place. */
  private static volatile boolean explicitCollectionOff;

  /** Takes no task while it has one: who waits asks again. */
  private static final ThreadPoolExecutor EXECUTOR =
      new ThreadPoolExecutor(
          0,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Daemon.builder("rockpool-collector").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  private Collector() {}

  /** Initializes what a thread would wait for that collects first, perhaps where its stack ends. */
  static void prepare() {
    EXECUTOR.execute(new Task());
  }

  static long begun() {
    return begun;
  }

  /** Returns how long the last collection took. */
  static long tookNanos() {
    return tookNanos;
  }

  static boolean isExplicitCollectionOff() {
    return explicitCollectionOff;
  }

  /** Whether no collection runs, and the last one has ended so long ago. */
  static boolean hasEndedBefore(long nanos) {
    return !collects && System.nanoTime() - endedNanos >= nanos;
  }

  static boolean isAsked() {
    return ASKING.get() != null;
  }

  /** Has a collection begin, soon after the one that may run now. */
  static void ask(Waiter waiter) {
    ASKING.compareAndSet(null, waiter);
    try {
      EXECUTOR.execute(new Task());
    } catch (OutOfMemoryError noThread) {
      return; // who waits asks again
    }
  }

  /** A class and not a lambda, see {@link Daemon#start}. */
  private static final class Task implements Runnable {
    @Override
    public void run() {
      try {
        while (isAsked()) {
          collectIfAsked();
        }
      } catch (OutOfMemoryError noHeap) {
        return; // who waits asks again
      }
    }
  }

  private static void collectIfAsked() {
    Waiter asking = ASKING.get();
    if (asking == null) {
      return;
    }
    while (Reclaimer.tryFreeSome()) {} // what the last one has found may be enough
    if (asking.needsNoCollection()) {
      ASKING.set(null);
      return;
    }
    DirectMonitor.@Nullable Event event = DirectMonitor.beginCollection();
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    collects = true;
    long number = begun + 1;
    begun = number;
    ASKING.set(null);
    long from = System.nanoTime();
    System.gc(); // returns when it is done; what it has found arrives later
    long to = System.nanoTime();
    tookNanos = to - from;
    endedNanos = to;
    collects = false;
    boolean tookPlace = garbage.refersTo(null);
    explicitCollectionOff = !tookPlace;
    if (event != null) {
      event.end(asking.budget(), asking.budget().waiters().length(), tookPlace);
    }
  }
}
