package dev.rockpool.direct;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Notices;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread {@code rockpool-reclaimer}: frees unreachable blocks. The JVM's reference-processing
 * thread only passes blocks on, to a queue for blocks alone. Threads that wait for memory also free
 * blocks from the queue.
 *
 * <pre>
 *               new block, or one in the queue           a second without one in the queue
 *   no thread  --------------------------------&gt;  frees  ---------------------------------&gt;  no thread
 * </pre>
 *
 * <p>While there is no thread, the housekeeper looks into the queue, once a second. A thread that
 * ran as long as a block is in use would keep its class loader reachable, and with it an undeployed
 * application that has left a buffer in a static field.
 */
final class Reclaimer {
  /** Only blocks register here. */
  static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  static final String THREAD_NAME = "rockpool-reclaimer";

  /** Most blocks, and about the most bytes, of a batch: waiting threads are served at its end. */
  private static final int BATCH = 32;

  private static final long BATCH_BYTE_SIZE = 256 << 10;

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Held while the thread is started. There is no flag that says so: it would stay set where the
   * stack of a thread that allocates ends.
   */
  private static final Object STARTING = new Object();

  /** The thread that was started last, or null. */
  private static volatile @Nullable Thread thread;

  /** No start before this time: each attempt takes milliseconds, and the JVM prints two lines. */
  private static volatile long pausedUntilNanos = System.nanoTime();

  static {
    Housekeeper.add(new Watch());
  }

  private Reclaimer() {}

  /**
   * Makes sure that the thread runs, if the system has a thread for it. If not, a later call tries
   * again, and threads that wait free blocks until then.
   */
  static void ensureRunning() {
    if (!isRunning() && System.nanoTime() - pausedUntilNanos >= 0) {
      try {
        synchronized (STARTING) {
          if (!isRunning()) {
            thread = Daemon.start(THREAD_NAME, new Freeing());
          }
        }
      } catch (OutOfMemoryError noThread) {
        pausedUntilNanos = System.nanoTime() + PERIOD_NANOS;
      }
    }
  }

  private static boolean isRunning() {
    Thread known = thread;
    return known != null && known.isAlive();
  }

  /** A class and not a lambda, see {@link Daemon#start}. */
  private static final class Freeing implements Runnable, Thread.UncaughtExceptionHandler {
    @Override
    public void run() {
      Thread.currentThread().setUncaughtExceptionHandler(this);
      while (awaitAndFree()) {}
    }

    /** Returns false if there was none for a second. */
    private static boolean awaitAndFree() {
      Block[] batch = new Block[BATCH];
      try {
        Block first = (Block) QUEUE.remove(TimeUnit.NANOSECONDS.toMillis(PERIOD_NANOS));
        if (first == null) {
          return false;
        }
        freeBatch(first, batch);
        return true;
      } catch (InterruptedException ignored) {
        return true; // by the program
      }
    }

    /** Replaces the program's handler, which may end the program. A next use starts a thread. */
    @Override
    public void uncaughtException(Thread failed, Throwable failure) {
      if (!(failure instanceof OutOfMemoryError)) {
        Notices.print("Freeing direct memory has failed", failure);
      }
    }
  }

  /** The housekeeper's part. */
  private static final class Watch implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      if (!isRunning() && tryFreeSome()) {
        ensureRunning();
      }
      return true;
    }
  }

  /** Frees some unreachable blocks; returns false if the queue is empty. */
  static boolean tryFreeSome() {
    Block[] batch = new Block[BATCH]; // before a block is polled: then nothing can fail
    Block first = (Block) QUEUE.poll();
    if (first == null) {
      return false;
    }
    freeBatch(first, batch);
    return true;
  }

  /**
   * Frees a block from the queue, and a few more that are there, together. Freed one by one, they
   * would have threads that free and threads that allocate contend for the same locks and counts.
   */
  private static void freeBatch(Block first, Block[] batch) {
    int count = 0;
    long byteSize = 0;
    for (Block polled = first; polled != null; ) {
      batch[count++] = polled;
      byteSize += polled.byteSize;
      polled = count < BATCH && byteSize < BATCH_BYTE_SIZE ? (Block) QUEUE.poll() : null;
    }
    int removed = Blocks.removeAll(batch, count);
    for (int i = 0; i < removed; i++) {
      DirectMemory memory = batch[i].memory;
      memory.release(batch[i].address, batch[i].byteSize);
      memory.budget().waiters().noteFound();
    }
  }
}
