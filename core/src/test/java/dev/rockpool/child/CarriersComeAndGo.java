package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import java.lang.foreign.Arena;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Several carriers at a time, that end all at once when they have been idle; again and again. Half
 * of the virtual threads hold an arena open meanwhile, and close it on a later carrier.
 *
 * <p>The scheduler is made as the JDK makes its own, of the same kind of carriers, but they end
 * after some milliseconds without work instead of 30 s.
 */
final class CarriersComeAndGo {
  private static final int ROUNDS = 6;
  private static final int CARRIERS = 8;
  private static final int HOLDERS = CARRIERS / 2;

  private static final Thread.Builder.OfVirtual VIRTUAL = Carriers.virtualThreadsOn(impatient());
  private static final Queue<Thread> STARTED = new ConcurrentLinkedQueue<>();
  private static final AtomicLong MOST_BYTES = new AtomicLong();
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private CarriersComeAndGo() {}

  private static ForkJoinPool impatient() {
    return new ForkJoinPool(
        CARRIERS,
        CarriersComeAndGo::carrierThread,
        (thread, failure) -> FAILURE.set(failure),
        true,
        0,
        CARRIERS,
        1,
        pool -> true,
        1,
        TimeUnit.MILLISECONDS);
  }

  private static ForkJoinWorkerThread carrierThread(ForkJoinPool pool) {
    try {
      Constructor<?> constructor =
          Class.forName("jdk.internal.misc.CarrierThread")
              .getDeclaredConstructor(ForkJoinPool.class);
      constructor.setAccessible(true);
      ForkJoinWorkerThread carrier = (ForkJoinWorkerThread) constructor.newInstance(pool);
      STARTED.add(carrier);
      return carrier;
    } catch (ReflectiveOperationException otherJdk) {
      throw new AssertionError("no carriers like those of the JDK", otherJdk);
    }
  }

  /** Returns when all carriers have ended, and how many that were. */
  private static int awaitEndOfCarriers() throws InterruptedException {
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
    int ended = 0;
    for (Thread carrier = STARTED.poll(); carrier != null; carrier = STARTED.poll()) {
      carrier.join();
      ended++;
    }
    return ended;
  }

  public static void main(String[] args) throws Exception {
    int ended = 0;
    for (int number = 0; number < ROUNDS; number++) {
      Round round = new Round(number);
      round.openOnAllCarriers();
      ended += awaitEndOfCarriers();
      if (number % 2 == 0) {
        checkCleanedUp();
      }
      round.closeElsewhere();
    }
    ended += awaitEndOfCarriers();
    Figures.print("carriers", ended);
    Figures.print("most bytes of threads", MOST_BYTES.get());
    Figures.print("bound of threads", PoolAudit.mostBytesOfThreads(2 * CARRIERS));
    Figures.printMemory("after");
    Figures.print("bytes shared", PoolAudit.bytesShared());
    PoolAudit.checkAtRest();
  }

  /** Open arenas have their blocks; nothing else is left. */
  private static void checkCleanedUp() {
    int threads = ArenaPool.shared().statistics().threads();
    long bytes = ArenaPool.shared().statistics().bytesKept();
    if (threads != 0 || bytes > PoolAudit.bytesShared()) {
      throw new AssertionError("left by ended carriers: " + threads + " threads, bytes: " + bytes);
    }
  }

  private static final class Round {
    private final long mark;
    private final List<Thread> holders = new ArrayList<>();
    private final AtomicInteger carried = new AtomicInteger();
    private final CountDownLatch opened = new CountDownLatch(HOLDERS);
    private volatile boolean close;

    Round(int number) {
      mark = (number + 1L) << 32;
    }

    /** When this returns, half of the virtual threads have ended, and half of them wait. */
    void openOnAllCarriers() throws InterruptedException {
      List<Thread> brief = new ArrayList<>();
      for (int i = 0; i < CARRIERS; i++) {
        long own = mark | i << 8;
        if (i < HOLDERS) {
          holders.add(VIRTUAL.start(() -> use(own, this::awaitClose)));
        } else {
          brief.add(VIRTUAL.start(() -> use(own, () -> {})));
        }
      }
      opened.await();
      joinAll(brief);
    }

    /** While they close their arenas, the blocks of ended carriers are freed. */
    void closeElsewhere() throws InterruptedException {
      List<Thread> heirs = new ArrayList<>();
      close = true;
      for (Thread holder : holders) {
        long own = mark | (CARRIERS + heirs.size()) << 8;
        LockSupport.unpark(holder);
        heirs.add(VIRTUAL.start(() -> use(own, () -> {})));
      }
      ArenaPool.shared().statistics();
      joinAll(holders);
      joinAll(heirs);
    }

    private static void joinAll(List<Thread> threads) throws InterruptedException {
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private void use(long own, Runnable meanwhile) {
      awaitOthers();
      try (Arena arena = Arenas.ofConfined()) {
        Marked memory = Marked.allocate(arena, 400 / Long.BYTES, own);
        meanwhile.run();
        memory.check();
      } catch (Throwable failure) {
        FAILURE.set(failure);
        opened.countDown();
      }
      MOST_BYTES.accumulateAndGet(ArenaPool.shared().statistics().bytesKept(), Math::max);
    }

    /** Waits without giving up the carrier, so that each thread has one of its own. */
    private void awaitOthers() {
      carried.incrementAndGet();
      while (carried.get() < CARRIERS) {
        Thread.onSpinWait();
      }
    }

    private void awaitClose() {
      opened.countDown();
      while (!close) {
        LockSupport.park();
      }
    }
  }
}
