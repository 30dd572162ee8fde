package dev.rockpool.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread of Rockpool: once a second it does what nobody should have to wait for.
 *
 * <p>It starts with the first task and ends with the last. A task that throws is dropped, and the
 * program never hears of it but for one line on standard error.
 */
public final class Housekeeper {
  private static final String THREAD_NAME = "rockpool-housekeeper";
  private static final long PERIOD_MILLIS = 1000;

  /** What to do; guarded by the class. */
  private static final List<BooleanSupplier> TASKS = new ArrayList<>();

  /** At work, or null; guarded by the class. */
  private static @Nullable Thread thread;

  private Housekeeper() {}

  /**
   * Adds something to do once a second, for the first time a second from now.
   *
   * @param task does it, and says whether it is to be called again
   */
  public static synchronized void add(BooleanSupplier task) {
    TASKS.add(task);
    if (thread == null) {
      try {
        thread = Daemon.start(THREAD_NAME, new Rounds());
      } catch (OutOfMemoryError noThread) {
        // The next one to come tries again; until then nothing is tidied up, and nothing breaks.
        return;
      }
    }
  }

  private static final class Rounds implements Runnable {
    @Override
    public void run() {
      List<BooleanSupplier> tasks;
      do {
        pause();
        tasks = tasks();
        for (BooleanSupplier task : tasks) {
          if (!goesOn(task)) {
            remove(task);
          }
        }
      } while (!tasks.isEmpty());
    }

    private static void pause() {
      try {
        Thread.sleep(PERIOD_MILLIS);
      } catch (InterruptedException early) {
        // Nobody has a reason to; a round too early does no harm.
      }
    }

    private static boolean goesOn(BooleanSupplier task) {
      try {
        return task.getAsBoolean();
      } catch (Throwable failure) {
        Notices.print("Gave up a task in the background: " + failure);
        return false;
      }
    }
  }

  /** All tasks; if there is none left, the thread is on its way out. */
  private static synchronized List<BooleanSupplier> tasks() {
    if (TASKS.isEmpty()) {
      thread = null;
    }
    return List.copyOf(TASKS);
  }

  private static synchronized void remove(BooleanSupplier task) {
    TASKS.remove(task);
  }
}
