package dev.rockpool.internal;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread {@code rockpool-housekeeper}: runs background tasks once a second.
 *
 * <p>The thread starts with the first task and ends with the last. A task that throws is called
 * again in the next round; its first failure is reported on standard error, unless the heap was
 * full. A round itself allocates nothing, so an exhausted heap does not end the thread. If the
 * thread could not start, or has ended for lack of memory, a later slow path starts another ({@link
 * #ensureRunning}).
 *
 * <p>No lock is held while a task is called or the thread is started.
 */
public final class Housekeeper {
  private static final String THREAD_NAME = "rockpool-housekeeper";
  private static final long PERIOD_NANOS = 1_000_000_000;

  /** Keeps the round reachable: the thread may hold it weakly, see {@link Callbacks}. */
  private static final BooleanSupplier ROUND = new Round();

  /** Null if our class loader lives as long as the JVM. */
  @SuppressWarnings("unused") // reachable from here as long as our loader is
  private static volatile @Nullable Farewell farewell =
      Callbacks.arePlain() ? null : new Farewell(false);

  /** The lock of the tasks, not the class: a program could keep the monitor of any class. */
  private static final Object LOCK = new Object();

  /** All tasks, in FIFO order; guarded by the lock, as is {@link #last}. */
  private static @Nullable Task first;

  private static @Nullable Task last;

  /** The thread at work or about to start, or null. Any other thread ends in its next round. */
  private static volatile @Nullable Thread thread;

  private Housekeeper() {}

  /** A task that owns native memory. */
  public interface Upkeep extends BooleanSupplier {
    /** Frees all unused memory. Nobody can reach our classes any more. */
    void freeAll();
  }

  /**
   * Finalized by the JVM once our class loader is unreachable. Only our objects know which blocks
   * are owned, so only our code can free the others. Finalization is the one way in which the JVM
   * runs code of an unreachable loader. Where finalization is switched off, two things leak: the
   * blocks of threads that outlive the application, and kept direct memory.
   *
   * <p>Other finalizers of the loader may still use memory, and even make the loader reachable
   * again. So the first farewell only leaves another one behind, which is finalized once these are
   * done.
   */
  private static final class Farewell {
    private final boolean isLast;

    Farewell(boolean isLast) {
      this.isLast = isLast;
    }

    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {
      if (!isLast) {
        farewell = new Farewell(true);
        return;
      }
      for (Task task = firstTask(); task != null; task = nextOf(task)) {
        if (task.work instanceof Upkeep upkeep) {
          upkeep.freeAll();
        }
      }
    }
  }

  /** A task that is its own list node, so no list has to grow. Only the thread removes tasks. */
  private static final class Task {
    private final BooleanSupplier work;
    private boolean reported;

    /** Guarded by the lock. */
    private @Nullable Task next;

    Task(BooleanSupplier work) {
      this.work = work;
    }

    boolean goesOn() {
      try {
        return work.getAsBoolean();
      } catch (Throwable failure) {
        if (!reported && !(failure instanceof OutOfMemoryError)) {
          reported = true;
          Notices.print("A task in the background failed, and is tried again", failure);
        }
        return true;
      }
    }
  }

  /**
   * Adds a task to run once a second, for the first time about a second from now.
   *
   * @param task returns whether to call it again; must be short, as other tasks wait for it
   */
  public static void add(BooleanSupplier task) {
    append(new Task(task));
    ensureRunning();
  }

  private static void append(Task task) {
    synchronized (LOCK) {
      if (last == null) {
        first = task;
      } else {
        last.next = task;
      }
      last = task;
    }
  }

  /** Starts the thread if there is a task and no live thread. Call without any lock. */
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
      return; // the next slow path tries again; until then no task runs
    }
  }

  private static void start(Thread made) {
    try {
      made.start();
    } catch (Throwable notNow) {
      thread = null; // should the thread run all the same, it ends in its first round
      throw notNow;
    }
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private static boolean replace(@Nullable Thread before, @Nullable Thread after) {
    synchronized (LOCK) {
      if (thread != before) {
        return false;
      }
      thread = after;
      return true;
    }
  }

  private static final class Round implements BooleanSupplier {
    @Override
    @SuppressWarnings("ReferenceEquality") // a thread equals itself only
    public boolean getAsBoolean() {
      Thread self = Thread.currentThread();
      if (thread != self) {
        return false;
      }
      Thread.interrupted(); // a set flag would make every later pause return at once
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

  private static @Nullable Task firstTask() {
    synchronized (LOCK) {
      return first;
    }
  }

  private static @Nullable Task nextOf(Task task) {
    synchronized (LOCK) {
      return task.next;
    }
  }

  private static void remove(@Nullable Task before, Task done) {
    synchronized (LOCK) {
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
  }

  /** Whether no task is left; then the next task to be added starts another thread. */
  private static boolean endsWithLast(Thread self) {
    synchronized (LOCK) {
      return first == null && replace(self, null);
    }
  }
}
