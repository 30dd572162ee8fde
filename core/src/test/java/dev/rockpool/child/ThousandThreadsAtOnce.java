package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A thousand platform threads that hold arenas at the same time, and then end. */
final class ThousandThreadsAtOnce {
  private static final int THREADS = 1_000;

  private static final CountDownLatch HOLDING = new CountDownLatch(THREADS);
  private static final CountDownLatch END = new CountDownLatch(1);
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private ThousandThreadsAtOnce() {}

  public static void main(String[] args) throws Exception {
    hold(0, () -> {});
    Figures.printMemory("before");
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= THREADS; i++) {
      long mark = (long) i << 8;
      threads.add(Thread.ofPlatform().start(() -> hold(mark, ThousandThreadsAtOnce::awaitEnd)));
    }
    HOLDING.await();
    Figures.printMemory("meanwhile");
    END.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
    Figures.printMemory("after");
    Figures.print("bound of a thread", PoolAudit.mostBytesOfThreads(1));
    PoolAudit.checkAtRest();
  }

  private static void hold(long mark, Runnable meanwhile) {
    try (Arena outer = Arenas.ofConfined();
        Arena middle = Arenas.ofConfined();
        Arena inner = Arenas.ofConfined()) {
      Marked small = Marked.allocate(outer, 100 / Long.BYTES, mark);
      Marked medium = Marked.allocate(middle, 600 / Long.BYTES, mark + 1);
      Marked large = Marked.allocate(inner, 3000 / Long.BYTES, mark + 2);
      meanwhile.run();
      small.check();
      medium.check();
      large.check();
    } catch (Throwable failure) {
      FAILURE.set(failure);
    }
  }

  private static void awaitEnd() {
    HOLDING.countDown();
    try {
      END.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
