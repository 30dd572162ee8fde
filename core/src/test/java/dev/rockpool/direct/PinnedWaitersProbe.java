package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Nothing is left of direct memory. A virtual thread stands in line first, and unmounts. Behind it
 * come as many virtual threads as there are carriers, each called back by a native function: so
 * they keep their carriers while they wait, and the first one does not run again before they are
 * done. Argument: how many carriers there are.
 */
final class PinnedWaitersProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DirectMemory memory = DirectMemory.ofLimit(100);
  private final AtomicInteger refused = new AtomicInteger();

  private PinnedWaitersProbe() {}

  private int ask() {
    try {
      memory.allocate(100);
    } catch (OutOfMemoryError expected) {
      refused.incrementAndGet();
    }
    return 0;
  }

  private void askCalledBack(CountDownLatch calledBack) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
      Comparing comparing =
          (a, b) -> {
            calledBack.countDown();
            return ask();
          };
      Comparing.sort(numbers, 2, comparing.upcall(arena));
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private void run(int carriers) throws InterruptedException {
    MemorySegment all = memory.allocate(100, 1);
    List<Thread> threads = new ArrayList<>();
    threads.add(Thread.ofVirtual().start(this::ask));
    while (memory.budget().line().length() == 0) {
      Thread.onSpinWait();
    }
    CountDownLatch calledBack = new CountDownLatch(carriers);
    for (int i = 0; i < carriers; i++) {
      threads.add(Thread.ofVirtual().start(() -> askCalledBack(calledBack)));
    }
    Instant end = Instant.now().plus(PATIENCE);
    for (Thread thread : threads) {
      if (!thread.join(Duration.between(Instant.now(), end))) {
        System.out.println("waits for ever=" + thread);
        Runtime.getRuntime().halt(0);
      }
    }
    System.out.println("refused=" + refused);
    System.out.println("reserved=" + memory.reserved());
    memory.free(all);
  }

  public static void main(String[] args) throws InterruptedException {
    new PinnedWaitersProbe().run(Integer.parseInt(args[0]));
  }
}
