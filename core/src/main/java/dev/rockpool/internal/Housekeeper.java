package dev.rockpool.internal;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The thread {@code rockpool-housekeeper}: runs background tasks once a second.
 *
 * <p>The thread starts with the first task. It is a thread of the JDK's executor, which holds the
 * rounds weakly where our class loader may be unloaded ({@link Callbacks}), and then ends. All
 * tasks share one entry of the executor: its queue would break for good if a task were added where
 * the stack ends.
 */
public final class Housekeeper {
  private static final String THREAD_NAME = "rockpool-housekeeper";
  private static final long PERIOD_SECONDS = 1;

  /** All tasks; keeps them reachable as long as our class loader is. */
  private static final Queue<BooleanSupplier> TASKS = new ConcurrentLinkedQueue<>();

  private static final Rounds ROUNDS = new Rounds();
  private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

  private Housekeeper() {}

  private static ScheduledThreadPoolExecutor executor() {
    ScheduledThreadPoolExecutor made =
        new ScheduledThreadPoolExecutor(1, Daemon.builder(THREAD_NAME).factory());
    made.setKeepAliveTime(2 * PERIOD_SECONDS, TimeUnit.SECONDS);
    made.allowCoreThreadTimeOut(true);
    try {
      Future<?> _ =
          made.scheduleWithFixedDelay(
              Callbacks.untilCollected(ROUNDS), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    } catch (OutOfMemoryError noThread) {
      return made; // a later slow path starts one
    }
    return made;
  }

  /** Calls all tasks. */
  private static final class Rounds implements Runnable {
    @Override
    public void run() {
      try {
        Iterator<BooleanSupplier> tasks = TASKS.iterator();
        while (tasks.hasNext()) {
          if (!call(tasks.next())) {
            tasks.remove();
          }
        }
      } catch (OutOfMemoryError noHeap) {
        return; // else the executor would call this no more
      }
    }

    private static boolean call(BooleanSupplier task) {
      try {
        return task.getAsBoolean();
      } catch (OutOfMemoryError noHeap) {
        return true; // a later round may find some
      } catch (RuntimeException | LinkageError failure) {
        Notices.print("A background task has failed, and ends", failure);
        return false;
      } catch (Error failure) {
        Notices.print("All background tasks end", failure); // the executor tells nobody
        throw failure;
      }
    }
  }

  /**
   * Adds a task to run once a second, for the first time about a second from now. A task that
   * throws is not called again, and its failure is reported on standard error; but one that runs
   * out of memory is called again in the next round. Another Error of the JVM's ends all tasks.
   *
   * @param task returns whether to call it again; must be short, as other tasks wait for it
   */
  public static void add(BooleanSupplier task) {
    TASKS.add(task);
  }

  /** Starts the thread if there is a task, and the thread could not be started before. */
  public static void ensureRunning() {
    try {
      if (!TASKS.isEmpty()) {
        EXECUTOR.prestartCoreThread();
      }
    } catch (OutOfMemoryError noThread) {
      return; // the next slow path tries again
    }
  }
}
