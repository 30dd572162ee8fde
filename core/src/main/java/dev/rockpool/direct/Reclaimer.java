package dev.rockpool.direct;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.StackSpace;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Frees blocks that nothing can reach any more: a queue of their own, and a daemon thread that
 * empties it. The JVM's reference-processing thread only passes them on. Threads that wait for
 * memory take their share from the same queue. Once a second the thread also frees what others have
 * left behind half-freed, and sees to it that there is a housekeeper, which gives back what is
 * kept.
 *
 * <pre>
 *            first block                            a second without a block
 *   no thread -----------&gt; frees what is unreachable ----------------------&gt; no thread
 * </pre>
 *
 * <p>So it keeps nothing reachable once all memory is free, its class loader for example. Arenas
 * that are to be closed do not count: their memory is the JDK's, and no collection frees it. Where
 * the system has no thread to give, or a thread has ended for whatever reason, each further block
 * tries again, and until then those who wait for memory do all of the work.
 */
final class Reclaimer {
  /** Blocks alone register here. */
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  static final String THREAD_NAME = "rockpool-reclaimer";

  private static final long PERIOD_MILLIS = 1000;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

  /** Whether there is a thread. Read after a block was added, reset before a look for blocks. */
  private static volatile boolean running;

  private Reclaimer() {}

  /**
   * Initializes the classes that the thread needs, and loads those that it may come to need: the
   * loader of an application that has ended finds none any more.
   */
  static void initialize() {
    Blocks.collectable();
    KeptMemory.initialize();
    Housekeeper.ensureRunning();
    Notices.initialize();
  }

  /** Makes sure that somebody empties the queue. To be called after a block was added. */
  static void start() {
    if (!running) {
      startThread();
    }
  }

  private static synchronized void startThread() {
    if (running) {
      return;
    }
    boolean started = false;
    running = true; // before the thread starts, which resets it when it ends
    try {
      Daemon.start(THREAD_NAME, new Emptying());
      started = true;
    } catch (OutOfMemoryError noThread) {
      // The next block tries again.
      return;
    } finally {
      if (!started) {
        running = false;
      }
    }
  }

  /**
   * Frees something whose memory nothing can reach. A failure is nothing to the thread that calls
   * this: what it leaves behind is freed by others.
   *
   * @return whether there was anything
   */
  static boolean freeOne() {
    StackSpace.require(); // The queue is the JDK's: half-way out of it a block would be lost.
    Block unreachable = (Block) QUEUE.poll();
    if (unreachable == null) {
      return Blocks.freeAbandoned() > 0;
    }
    unreachable.tryFree();
    return true;
  }

  private static final class Emptying implements Runnable {
    private long lookedNanos = System.nanoTime();
    private long added = -1;

    @Override
    public void run() {
      do {
        try {
          while (goesOn()) {}
        } finally {
          // A thread that adds a block now sees that nobody runs, or this thread sees the block.
          running = false;
        }
      } while (hasWork() && resumes());
    }

    private boolean goesOn() {
      try {
        return freesNext();
      } catch (InterruptedException nobodyHasAReason) {
        return true;
      } catch (Throwable failure) {
        tellAndPause(failure);
        return true;
      }
    }

    /**
     * A failure that repeats itself is not to keep a processor busy. Where the heap is full, this
     * fails as well: each first use of a class, or of a text, takes some.
     */
    private static void tellAndPause(Throwable failure) {
      try {
        Notices.print("Reclaiming direct memory goes on after a failure", failure);
      } catch (Throwable untold) {
        // The pause counts.
      } finally {
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    }

    /** Returns false if there was nothing to do for a second, and there is nothing. */
    private boolean freesNext() throws InterruptedException {
      Block unreachable = (Block) QUEUE.remove(PERIOD_MILLIS);
      if (unreachable != null) {
        unreachable.free();
      }
      if (System.nanoTime() - lookedNanos >= PERIOD_NANOS) {
        lookedNanos = System.nanoTime();
        tend();
        return !isQuiet();
      }
      return true;
    }

    /** A failure must not make the thread live for ever. */
    private static void tend() {
      try {
        Housekeeper.ensureRunning();
        Blocks.freeAbandoned();
      } catch (Throwable failure) {
        tellAndPause(failure);
      }
    }

    /** Whether there is nothing to do one day, nor was a block added since this last looked. */
    private boolean isQuiet() {
      long before = added;
      added = Blocks.added();
      return added == before && !hasWork();
    }

    /** Arenas do not count: an arena that is never closed would keep the thread for ever. */
    private static boolean hasWork() {
      return Blocks.collectable() != 0 || Blocks.hasAbandoned;
    }
  }

  /** Says no if another thread has started meanwhile. */
  private static synchronized boolean resumes() {
    boolean alone = !running;
    running = true;
    return alone;
  }
}
