package dev.rockpool.direct;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.StackSpace;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Frees unreachable blocks: a queue for blocks alone, and a daemon thread that empties the queue.
 * The JVM's reference-processing thread only passes blocks on. Threads that wait for memory also
 * take blocks from the queue. Once a second the daemon thread frees abandoned blocks, and makes
 * sure that the housekeeper runs, which gives back kept memory.
 *
 * <pre>
 *            first block                            a second without a block
 *   no thread -----------&gt; frees what is unreachable ----------------------&gt; no thread
 * </pre>
 *
 * <p>The thread ends once all memory is free, so that it does not keep its class loader reachable.
 * Open arenas do not count: their memory is the JDK's, and no collection frees it. If no thread
 * could be started, or the thread ended after a failure, each further block tries again; until
 * then, threads that wait for memory do all the work.
 */
final class Reclaimer {
  /** Only blocks register here. */
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  static final String THREAD_NAME = "rockpool-reclaimer";

  /** Most blocks, and about the most bytes, of a batch: waiting threads are served at its end. */
  private static final int BATCH = 32;

  private static final long BATCH_BYTE_SIZE = 256 << 10;

  private static final long PERIOD_MILLIS = 1000;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

  private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(64);

  /** The lock of starts, for the reason that {@code Housekeeper} has one. */
  private static final Object LOCK = new Object();

  /** Whether the thread runs. Read after a block was added, reset before a look for blocks. */
  private static volatile boolean running;

  /**
   * The pause after the last start, which failed, doubled each time; 0 after one that did not. Each
   * attempt takes milliseconds, and the JVM prints two lines. Guarded by the lock.
   */
  private static long pauseNanos;

  private static volatile long pausedUntilNanos = System.nanoTime();

  private Reclaimer() {}

  /**
   * Initializes the classes that the thread needs, and loads those that it may need later: the
   * class loader of a stopped application loads no more classes.
   */
  static void initialize() {
    Blocks.collectable();
    KeptMemory.initialize();
    Housekeeper.ensureRunning();
    Notices.initialize();
  }

  /** Makes sure that a thread empties the queue. Call after a block was added. */
  static void start() {
    if (!running && !isPausing()) {
      startThread();
    }
  }

  private static boolean isPausing() {
    return System.nanoTime() - pausedUntilNanos < 0;
  }

  private static void startThread() {
    synchronized (LOCK) {
      if (!running && !isPausing()) { // else another thread was here first
        tryToStartThread();
      }
    }
  }

  private static void tryToStartThread() {
    boolean started = false;
    running = true; // before the thread starts, which resets it when it ends
    try {
      Daemon.start(THREAD_NAME, new Emptying());
      started = true;
      pauseNanos = 0;
    } catch (OutOfMemoryError noThread) {
      // A later block tries again; until then threads that wait free blocks.
      pauseNanos = Math.clamp(2 * pauseNanos, PERIOD_NANOS, MOST_PAUSE_NANOS);
      pausedUntilNanos = System.nanoTime() + pauseNanos;
      return;
    } finally {
      if (!started) {
        running = false;
      }
    }
  }

  /**
   * Frees some unreachable blocks, or all abandoned ones; returns whether there was a block. A
   * failure is not the caller's: other threads free the rest of these blocks.
   */
  static boolean freeSome() {
    StackSpace.require(); // A block would be lost if the stack ended inside the JDK's queue.
    Block unreachable = (Block) QUEUE.poll();
    if (unreachable == null) {
      return Blocks.freeAbandoned() > 0;
    }
    try {
      freeBatch(unreachable);
    } catch (Throwable later) {
      return true;
    }
    return true;
  }

  /** Frees a block from the queue, and a few more that are there, together. */
  private static void freeBatch(Block unreachable) {
    Block batch = null;
    try {
      long byteSize = 0;
      Block polled = unreachable;
      for (int n = 1; polled != null; n++) {
        if (polled.claim()) {
          polled.next = batch;
          batch = polled; // no call in between: the block would be lost if the stack ended there
          byteSize += polled.byteSize();
        }
        polled = n < BATCH && byteSize < BATCH_BYTE_SIZE ? (Block) QUEUE.poll() : null;
      }
      if (batch != null) {
        Block.freeClaimed(batch);
      }
    } catch (Throwable failure) {
      for (Block block = batch; block != null; ) {
        Block behind = block.next; // read before another thread may claim the block
        block.abandoned = true;
        block.claimed = false;
        block = behind;
      }
      Blocks.hasAbandoned = true;
      throw failure;
    }
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
          // A thread that adds a block now sees that no thread runs, or this thread sees the block.
          running = false;
        }
      } while (hasWork() && resumes());
    }

    private boolean goesOn() {
      try {
        return freesNext();
      } catch (InterruptedException ignored) {
        return true;
      } catch (Throwable failure) {
        tellAndPause(failure);
        return true;
      }
    }

    /**
     * Pauses, so that a repeated failure does not keep a processor busy. Printing may fail as well:
     * with a full heap, the first use of a class or a string fails.
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

    /** Returns false if there was no work for a second, and there is none now. */
    private boolean freesNext() throws InterruptedException {
      Block unreachable = (Block) QUEUE.remove(PERIOD_MILLIS);
      if (unreachable != null) {
        freeBatch(unreachable);
      }
      if (System.nanoTime() - lookedNanos >= PERIOD_NANOS) {
        lookedNanos = System.nanoTime();
        tend();
        return !isQuiet();
      }
      return true;
    }

    /** Reports failures itself, so that the thread can still end. */
    private static void tend() {
      try {
        Housekeeper.ensureRunning();
        Blocks.freeAbandoned();
      } catch (Throwable failure) {
        tellAndPause(failure);
      }
    }

    /** Returns whether no work can arise later, and no block was added since the last call. */
    private boolean isQuiet() {
      long before = added;
      added = Blocks.added();
      return added == before && !hasWork();
    }

    /** Whether blocks are left to free. A leaked arena would keep the thread for ever. */
    private static boolean hasWork() {
      return Blocks.collectable() != 0 || Blocks.hasAbandoned;
    }
  }

  /** Returns false if another thread has started meanwhile. */
  private static boolean resumes() {
    synchronized (LOCK) {
      boolean alone = !running;
      running = true;
      return alone;
    }
  }
}
