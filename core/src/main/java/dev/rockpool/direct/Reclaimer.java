package dev.rockpool.direct;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Notices;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * Frees blocks that nothing can reach any more: a queue of their own, and a daemon thread that
 * empties it. The JVM's reference-processing thread only passes them on. Threads that wait for
 * memory take their share from the same queue.
 *
 * <p>The thread starts with the first block. Where the system has no thread to give, each further
 * block tries again, and until then those who wait for memory do all of the work.
 */
final class Reclaimer {
  /** Blocks alone register here. */
  static final ReferenceQueue<MemorySegment.Scope> QUEUE = new ReferenceQueue<>();

  static final String THREAD_NAME = "rockpool-reclaimer";

  private static volatile boolean started;

  private Reclaimer() {}

  /** Makes sure that somebody empties the queue. */
  static void start() {
    if (!started) {
      startThread();
    }
  }

  private static synchronized void startThread() {
    if (started) {
      return;
    }
    try {
      Daemon.start(THREAD_NAME, Reclaimer::freeAll);
      started = true;
    } catch (OutOfMemoryError noThread) {
      // The next block tries again.
      return;
    }
  }

  /** Frees one block, if there is one whose memory nothing can reach; says whether there was. */
  static boolean freeOne() {
    Reference<?> unreachable = QUEUE.poll();
    if (unreachable == null) {
      return false;
    }
    ((Block) unreachable).free();
    return true;
  }

  private static void freeAll() {
    while (true) {
      try {
        ((Block) QUEUE.remove()).free();
      } catch (InterruptedException goOn) {
        // Nobody has a reason to.
      } catch (Throwable failure) {
        Notices.print("Reclaiming direct memory goes on after " + failure);
      }
    }
  }
}
