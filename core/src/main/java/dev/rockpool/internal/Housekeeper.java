package dev.rockpool.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread of Rockpool: once a second it does what nobody should have to wait for.
 *
 * <p>It starts with the first task and ends with the last. A task that throws is called again in
 * the next round; the program hears of it once, by a line on standard error. A round allocates
 * nothing, so that a heap at its end does not end it. Where the system has no thread to give, or
 * the thread has ended for lack of memory, a slow path that comes later starts one ({@link
 * #ensureRunning}).
 *
 * <p>Tasks are called, and the thread is started, without any lock.
 */
public final class Housekeeper {
  private static final String THREAD_NAME = "rockpool-housekeeper";
  private static final long PERIOD_NANOS = 1_000_000_000;

  /** Held here, see {@link Callbacks}. */
  private static final BooleanSupplier ROUND = new Round();

  /** Null where our loader lives as long as the JVM. */
  @SuppressWarnings("unused") // reachable from here as long as our loader is
  private static final @Nullable Farewell FAREWELL = Callbacks.arePlain() ? null : new Farewell();

  /** All tasks, in the order in which they came; guarded by the class. */
  private static @Nullable Task first;

  private static @Nullable Task last;

  /** At work, or about to start; or null. Another thread that comes to a round ends. */
  private static volatile @Nullable Thread thread;

  private Housekeeper() {}

  /** A task that knows of memory of the system. */
  public interface Upkeep extends BooleanSupplier {
    /**
     * Gives back what nobody uses: nothing but finalizers can reach any class of ours, and soon
     * nothing at all. Nothing that is used from now on may be what was given back.
     */
    void freeAll();
  }

  /**
   * What the JVM calls when nothing can reach our class loader any more. Which slabs are owned is
   * written in objects of ours, so it takes code of ours to free the others, and finalization is
   * the one way in which the JVM runs code of an unreachable loader. Where it is switched off, the
   * memory of threads that outlive the application stays, and direct memory that is kept.
   */
  private static final class Farewell {
    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {
      for (Task task = firstTask(); task != null; task = nextOf(task)) {
        if (task.work instanceof Upkeep upkeep) {
          upkeep.freeAll();
        }
      }
    }
  }

  /** Linked by itself, so that no list has to grow. Only the thread takes tasks out. */
  private static final class Task {
    private final BooleanSupplier work;
    private boolean reported;

    /** Guarded by the class. */
    private @Nullable Task next;

    Task(BooleanSupplier work) {
      this.work = work;
    }

    boolean goesOn() {
      try {
        return work.getAsBoolean();
      } catch (Throwable failure) {
        if (!reported) {
          reported = true;
          Notices.print("A task in the background failed, and is tried again", failure);
        }
        return true;
      }
    }
  }

  /**
   * Adds something to do once a second, for the first time a second from now.
   *
   * @param task does it, and says whether it is to be called again; short, as others wait for it
   */
  public static void add(BooleanSupplier task) {
    append(new Task(task));
    ensureRunning();
  }

  private static synchronized void append(Task task) {
    if (last == null) {
      first = task;
    } else {
      last.next = task;
    }
    last = task;
  }

  /** Starts the thread if there is work for it, and none. For slow paths, which have no lock. */
  public static void ensureRunning() {
    Thread known = thread;
    if (known == null || known.getState() == Thread.State.TERMINATED) {
      startAfter(known);
    }
  }

  private static void startAfter(@Nullable Thread ended) {
    try {
      Thread made = Daemon.make(THREAD_NAME, Callbacks.rounds(ROUND, PERIOD_NANOS));
      if (firstTask() != null && replace(ended, made)) {
        start(made);
      }
    } catch (Throwable notNow) {
      return; // the next slow path tries again; until then nothing is tidied up
    }
  }

  private static void start(Thread made) {
    boolean started = false;
    try {
      made.start();
      started = true;
    } finally {
      if (!started) {
        thread = null; // and should it run all the same, it ends
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private static synchronized boolean replace(@Nullable Thread before, @Nullable Thread after) {
    if (thread != before) {
      return false;
    }
    thread = after;
    return true;
  }

  private static final class Round implements BooleanSupplier {
    @Override
    @SuppressWarnings("ReferenceEquality") // a thread equals itself only
    public boolean getAsBoolean() {
      Thread self = Thread.currentThread();
      if (thread != self) {
        return false;
      }
      Thread.interrupted(); // or it would never pause again
      try {
        callAll();
      } catch (Throwable unreported) {
        return true;
      }
      return !endsWithLast(self);
    }

    private static void callAll() {
      Task before = null;
      for (Task task = firstTask(); task != null; task = nextOf(task)) {
        if (task.goesOn()) {
          before = task;
        } else {
          remove(before, task);
        }
      }
    }
  }

  private static synchronized @Nullable Task firstTask() {
    return first;
  }

  private static synchronized @Nullable Task nextOf(Task task) {
    return task.next;
  }

  private static synchronized void remove(@Nullable Task before, Task done) {
    Task next = done.next;
    if (before == null) {
      first = next;
    } else {
      before.next = next;
    }
    if (next == null) {
      last = before;
    }
  }

  /** Whether there is no task left; then the next one to come starts another thread. */
  private static synchronized boolean endsWithLast(Thread self) {
    return first == null && replace(self, null);
  }
}
