package dev.rockpool.direct;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread waits for memory, and a platform thread with little stack left gives it back: at
 * one depth after the other. Prints how many waiters never ran again.
 */
final class VirtualWaiterProbe {
  private static final int LIMIT = 4096;
  private static final long STACK_BYTE_SIZE = 256 << 10;
  private static final int WARM_UP = 20_000;

  /** Frames before the end of the stack at which the first free is tried. */
  private static final int FRAMES = 150;

  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private DirectMemory memory = DirectMemory.ofLimit(LIMIT);
  private @Nullable MemorySegment held;
  private int lost;

  private void freeAt(int depth) {
    if (depth == 0) {
      memory.free(held);
    } else {
      freeAt(depth - 1);
    }
  }

  /** Returns the greatest depth at which memory can be given back. */
  private int deepest() {
    int good = 0;
    int bad = 1 << 17;
    while (bad - good > 1) {
      int depth = (good + bad) / 2;
      memory = DirectMemory.ofLimit(LIMIT);
      held = memory.allocate(LIMIT, 1);
      try {
        freeAt(depth);
        good = depth;
      } catch (StackOverflowError end) {
        bad = depth;
      }
    }
    return good;
  }

  private void run() throws InterruptedException {
    deepest(); // C2 compiles meanwhile
    int deepest = deepest();
    for (int depth = deepest - FRAMES; depth <= deepest; depth++) {
      memory = DirectMemory.ofLimit(LIMIT);
      held = memory.allocate(LIMIT, 1);
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      Thread waiter =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      memory.free(memory.allocate(LIMIT / 2, 1));
                    } catch (OutOfMemoryError refused) {
                      failure.set(refused); // the free below may fail
                    }
                  });
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      try {
        freeAt(depth);
      } catch (StackOverflowError end) {
        memory = DirectMemory.ofLimit(LIMIT);
      }
      held = null;
      lost += waiter.join(PATIENCE) ? 0 : 1;
    }
  }

  public static void main(String[] args) throws Exception {
    VirtualWaiterProbe probe = new VirtualWaiterProbe();
    for (int i = 0; i < WARM_UP; i++) {
      probe.held = probe.memory.allocate(LIMIT, 1);
      probe.freeAt(0);
    }
    Thread deep =
        new Thread(
            null,
            () -> {
              try {
                probe.run();
                System.out.println("lost=" + probe.lost);
              } catch (InterruptedException end) {
                return;
              }
            },
            "deep",
            STACK_BYTE_SIZE);
    deep.start();
    deep.join();
  }
}
