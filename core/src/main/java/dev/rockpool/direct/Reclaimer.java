package dev.rockpool.direct;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Housekeeper;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The thread {@code rockpool-reclaimer}: frees unreachable blocks, and drives the {@link
 * WaitingLine}s. The JVM's reference-processing thread only passes blocks on, to a queue for blocks
 * alone. Threads that wait for memory also free blocks from the queue.
 *
 * <pre>
 *            first block                       a second without a block, and nobody waits
 *   no thread -----------&gt; frees and drives  ----------------------------------------&gt; no thread
 * </pre>
 *
 * <p>The thread ends once all memory is free, so that it does not keep its class loader reachable.
 * Open arenas do not count: their memory is the JDK's, and no collection frees it.
 */
final class Reclaimer {
  /** Only blocks register here. */
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  static final String THREAD_NAME = "rockpool-reclaimer";

  /** Most blocks, and about the most bytes, of a batch: waiting threads are served at its end. */
  private static final int BATCH = 32;

  private static final long BATCH_BYTE_SIZE = 256 << 10;

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Whether the thread runs. Read after a block was added, reset before a look for blocks. */
  private static final AtomicBoolean RUNNING = new AtomicBoolean();

  /** The thread that was started last, or null. */
  private static volatile @Nullable Thread thread;

  /** No start before this time: each attempt takes milliseconds, and the JVM prints two lines. */
  private static volatile long pausedUntilNanos = System.nanoTime();

  private Reclaimer() {}

  /**
   * Initializes the classes that the thread needs: the class loader of a stopped application loads
   * no more classes.
   */
  static void initialize() {
    Blocks.areNone();
    Housekeeper.ensureRunning();
  }

  /**
   * Makes sure that the thread runs, if the system has a thread for it. If not, a later call tries
   * again, and threads that wait free blocks until then. Call after a block was added.
   */
  static void ensureRunning() {
    if (!RUNNING.get() && System.nanoTime() - pausedUntilNanos >= 0) {
      try {
        start();
      } catch (OutOfMemoryError noThread) {
        pausedUntilNanos = System.nanoTime() + PERIOD_NANOS;
      }
    }
  }

  /**
   * Starts the thread unless it runs.
   *
   * @throws OutOfMemoryError if the system has no thread for it
   */
  static void start() {
    if (!RUNNING.get() && tryResume()) {
      boolean started = false;
      try {
        thread = Daemon.start(THREAD_NAME, new Driving());
        started = true;
      } finally {
        if (!started) {
          RUNNING.set(false);
        }
      }
    }
  }

  /** Makes the thread drive the lines now: by an interrupt, because it waits for the queue. */
  static void wake() {
    ensureRunning();
    Thread known = thread;
    if (known != null) {
      known.interrupt();
    }
  }

  /** Returns false if the thread runs. */
  private static boolean tryResume() {
    return RUNNING.compareAndSet(false, true);
  }

  /** A class and not a lambda, see {@link Daemon#start}. */
  private static final class Driving implements Runnable {
    @Override
    public void run() {
      do {
        try {
          while (driveAndFree()) {}
        } finally {
          // A thread that adds a block now sees that no thread runs, or this thread sees the block.
          RUNNING.set(false);
        }
      } while (hasWork() && tryResume());
    }

    /** Returns false if there was no work for a second, and there is none now. */
    private static boolean driveAndFree() {
      long nanos = Math.min(PERIOD_NANOS, WaitingLine.driveAll());
      try {
        Block first = (Block) QUEUE.remove(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        if (first == null) {
          return hasWork();
        }
        freeBatch(first);
        return true;
      } catch (InterruptedException ignored) {
        return true; // by wake, or by the program
      }
    }
  }

  /** Whether blocks are left to free. A leaked arena would keep the thread for ever. */
  private static boolean hasWork() {
    return !Blocks.areNone() || WaitingLine.anyIsOccupied();
  }

  /** Frees some unreachable blocks; returns false if the queue is empty. */
  static boolean tryFreeSome() {
    Block first = (Block) QUEUE.poll();
    if (first == null) {
      return false;
    }
    freeBatch(first);
    return true;
  }

  /**
   * Frees a block from the queue, and a few more that are there, together. Freed one by one, they
   * would have threads that free and threads that allocate contend for the same locks and counts.
   */
  private static void freeBatch(Block first) {
    List<Block> batch = new ArrayList<>(BATCH);
    long byteSize = 0;
    Block polled = first;
    for (int n = 1; polled != null; n++) {
      if (Blocks.remove(polled)) {
        byteSize += polled.byteSize;
        batch.add(polled);
      }
      polled = n < BATCH && byteSize < BATCH_BYTE_SIZE ? (Block) QUEUE.poll() : null;
    }
    for (int from = 0; from < batch.size(); ) {
      DirectMemory memory = batch.get(from).memory;
      int end = from + 1;
      while (end < batch.size() && batch.get(end).memory == memory) {
        end++;
      }
      memory.release(batch.subList(from, end));
      from = end;
    }
  }
}
