package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import java.lang.foreign.Arena;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A million virtual threads, or as many as the argument says, two thousand at a time, each of which
 * nests three arenas and waits while it holds memory, so that it goes on elsewhere. Prints how much
 * native memory that takes, as against a hundred threads.
 */
final class MillionVirtualThreads {
  private static final int FEW = 100;
  private static final int AT_ONCE = 2_000;
  private static final int LOOK_EVERY = 10_000;

  private static final Semaphore ROOM = new Semaphore(AT_ONCE);
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  /** Threads that ended on another carrier than they began on. */
  private static final LongAdder MIGRATED = new LongAdder();

  /**
   * Most threads wait for their turn before they take memory: with thousands that hold blocks and
   * wait, hardly an arena would get a kept one.
   */
  private static final Semaphore TURNS = new Semaphore(16);

  private static final int NO_TURN_EVERY = 100;

  /** Whoever is between its {@code put} and its {@code take} lets the others wait. */
  private static final BlockingQueue<Integer> HAND_OFF = new ArrayBlockingQueue<>(4);

  private MillionVirtualThreads() {}

  public static void main(String[] args) throws Exception {
    start(0, FEW);
    Figures.printMemory("few");
    long most = start(FEW, args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]));
    Figures.printMemory("many");
    Figures.print("most bytes kept", most);
    Figures.print("migrated", MIGRATED.sum());
    Figures.print("bound of threads", PoolAudit.mostBytesOfThreads(carriers()));
    Figures.print("bytes shared", PoolAudit.bytesShared());
    Figures.print("arenas closed", ArenaPool.shared().statistics().arenasClosed());
    Figures.print("blocks allocated", ArenaPool.shared().statistics().blocksAllocated());
    PoolAudit.checkAtRest();
  }

  private static int carriers() {
    return Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize");
  }

  /** Runs these threads to their end; returns the most memory that the pool was seen to keep. */
  private static long start(int from, int to) throws InterruptedException {
    long most = 0;
    for (int number = from; number < to && FAILURE.get() == null; number++) {
      int own = number;
      ROOM.acquire();
      Thread.ofVirtual().start(() -> work(own));
      if (number % LOOK_EVERY == 0) {
        most = Math.max(most, ArenaPool.shared().statistics().bytesKept());
      }
    }
    ROOM.acquire(AT_ONCE);
    ROOM.release(AT_ONCE);
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
    return most;
  }

  private static void work(int number) {
    try {
      String before = carrier();
      if (number % NO_TURN_EVERY == 0) {
        nest(number, 0);
      } else {
        TURNS.acquire();
        nest(number, 0);
        TURNS.release();
      }
      if (!carrier().equals(before)) {
        MIGRATED.increment();
      }
    } catch (Throwable failure) {
      FAILURE.compareAndSet(null, failure);
    } finally {
      ROOM.release();
    }
  }

  /** By the public way: what a virtual thread is called ends with what carries it. */
  private static String carrier() {
    String name = Thread.currentThread().toString();
    return name.substring(name.indexOf('@'));
  }

  private static void nest(int number, int depth) throws InterruptedException {
    try (Arena arena = Arenas.ofConfined()) {
      int seed = number + depth;
      Marked first = Marked.allocate(arena, 1 + seed % 40, mark(number, depth, 0));
      pause(seed);
      if (depth < 2) {
        nest(number, depth + 1);
      }
      // One in seven outgrows its block: by a little, or by far.
      int words = seed % 7 != 0 ? 1 + seed % 20 : seed % 2 == 0 ? 70 : 600;
      Marked second = Marked.allocate(arena, words, mark(number, depth, 1));
      pause(seed + 1);
      first.check();
      second.check();
    }
  }

  private static long mark(int number, int depth, int allocation) {
    return (number + 1L) << 8 | depth << 4 | allocation;
  }

  /**
   * In each of the ways in which a virtual thread comes to be unmounted. Nobody relies on how long.
   */
  private static void pause(int seed) throws InterruptedException {
    switch (seed % 16) {
      case 0 -> LockSupport.parkNanos(1);
      case 1 -> {
        HAND_OFF.put(seed);
        Thread.yield();
        HAND_OFF.take();
      }
      case 2 -> Thread.sleep(seed % 32 / 16);
      default -> Thread.yield();
    }
  }
}
