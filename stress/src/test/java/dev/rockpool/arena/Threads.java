package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
import java.util.concurrent.locks.LockSupport;

/** Threads as slabs see them, alive or not, and what they leave. */
final class Threads {
  /** Not alive, and never will be; that it never was makes no difference. */
  static final Thread ENDED = new Thread(() -> {}, "ended");

  static final Thread ALIVE = alive();
  static final Thread ALSO_ALIVE = alive();

  /** A microsecond at most, on processors as they are. */
  private static final int PAUSES = 10;

  private Threads() {}

  @SuppressWarnings("InfiniteLoopStatement")
  private static Thread alive() {
    return Thread.ofPlatform()
        .name("alive")
        .daemon()
        .start(
            () -> {
              while (true) {
                LockSupport.park();
              }
            });
  }

  /** New slabs of {@code thread}. */
  static ThreadSlabs slabs(Thread thread, int count) {
    ThreadSlabs slabs = ThreadSlabs.allocate(thread, Words.BYTE_SIZE, count);
    if (slabs == null) {
      throw new IllegalStateException("No memory left for slabs");
    }
    return slabs;
  }

  /** The slabs of an ended thread that served one arena. */
  static ThreadSlabs leaveServedOnce(SlabRegistry registry) {
    ThreadSlabs slabs = registry.slabsOf(ENDED);
    if (slabs == null) {
      throw new IllegalStateException("No memory left for slabs");
    }
    slabs.release(slabs.acquire(1), 1);
    return slabs;
  }

  /** Acquires slab by slab, and says how many there were. */
  static int acquireAll(ThreadSlabs slabs) {
    int acquired = 0;
    while (slabs.acquire(1) != Run.NONE) {
      acquired++;
    }
    return acquired;
  }

  /** Frees the memory of slabs that are all owned; where any is lost, a test has failed. */
  static void free(ThreadSlabs slabs) {
    int owned = slabs.owned();
    if (owned != 0) {
      slabs.release(Run.of(0, owned), 0);
    }
    slabs.freeIfUnowned();
  }

  /** Between two steps: makes sure that a short run shows what can happen there. */
  static void letOthersComeBetween() {
    for (int i = 0; i < PAUSES; i++) {
      Thread.onSpinWait();
    }
  }

  static String times(long count) {
    return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
  }
}
