package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolAudit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The threads, of all kinds at once, each of which does the same again and again. */
final class Lanes {
  /** Platform threads that use the shared pool at any one time; carriers come on top. */
  static final int PLATFORM_THREADS = 4;

  private static final int VIRTUAL_THREADS = 12;
  private static final int STEPS = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Checker checker = new Checker();
  private final LongAdder closed = new LongAdder();
  private final LongAdder closedInOwnPools = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private final Consumer<Throwable> listener;
  private volatile boolean ending;

  /**
   * Lanes that tell {@code listener}, on their own thread, what goes wrong; more than one may at
   * once.
   */
  Lanes(Consumer<Throwable> listener) {
    this.listener = listener;
  }

  void start() {
    for (int i = 0; i < PLATFORM_THREADS / 2; i++) {
      start(Thread.ofPlatform(), () -> walk(Owner.Kind.LONG_LIVED_THREAD));
      start(Thread.ofPlatform(), () -> outlive(Thread.ofPlatform(), Owner.Kind.SHORT_LIVED_THREAD));
    }
    for (int i = 0; i < VIRTUAL_THREADS; i++) {
      start(Thread.ofVirtual(), () -> outlive(Thread.ofVirtual(), Owner.Kind.VIRTUAL_THREAD));
    }
    start(Thread.ofPlatform(), this::makePoolAndDropIt);
    start(Thread.ofPlatform(), Lanes::collectGarbage);
  }

  private void start(Thread.Builder builder, Runnable task) {
    threads.add(builder.start(() -> reporting(() -> repeat(task))));
  }

  private void repeat(Runnable task) {
    while (!ending) {
      task.run();
    }
  }

  private void reporting(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) {
      listener.accept(failure);
    }
  }

  /** Lets all of them close what they have open, and end. */
  void end() throws InterruptedException {
    ending = true;
    for (Thread thread : threads) {
      if (!thread.join(PATIENCE)) {
        throw new Violation("Threads must end when they are told to: " + thread);
      }
    }
    if (checker.size() != 0) {
      throw new Violation("No memory may be in use by now: pieces in use=" + checker.size());
    }
  }

  /** Arenas of the shared pool that were closed and had used a block; exact after the end. */
  long closed() {
    return closed.sum();
  }

  long closedInOwnPools() {
    return closedInOwnPools.sum();
  }

  private void walk(Owner.Kind kind) {
    closed.add(new Walk(ArenaPool.shared(), checker, kind).run(STEPS));
  }

  /** A walk on a thread of its own, which ends with it. */
  private void outlive(Thread.Builder builder, Owner.Kind kind) {
    join(builder.start(() -> reporting(() -> walk(kind))));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException nobodyDoes) {
      throw new IllegalStateException(nobodyDoes);
    }
  }

  private void makePoolAndDropIt() {
    SplittableRandom random = new SplittableRandom();
    ArenaPool pool =
        ArenaPool.builder()
            .blockByteSize(64L << random.nextInt(8))
            .blocksPerThread(random.nextInt(1, 9))
            .build();
    LongAdder expected = new LongAdder();
    Runnable task =
        () -> expected.add(new Walk(pool, checker, Owner.Kind.THREAD_WITH_OWN_POOL).run(STEPS));
    List<Thread> users =
        List.of(
            Thread.ofVirtual().start(() -> reporting(task)),
            Thread.ofVirtual().start(() -> reporting(task)),
            Thread.ofPlatform().start(() -> reporting(task)));
    task.run();
    users.forEach(Lanes::join);
    closedInOwnPools.add(expected.sum());
    PoolAudit.checkAtRest(pool);
    Balance.check(pool, expected.sum());
  }

  /** Pools that were dropped are freed after the next collection; most walks see one. */
  private static void collectGarbage() {
    LockSupport.parkNanos(new SplittableRandom().nextLong(1_000_000_000));
    System.gc();
  }
}
