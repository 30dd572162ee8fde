package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that may be carried elsewhere before each step of an arena, in loops that C2
 * compiles: a block must come from the carrier at the opening of the arena, and go to the carrier
 * at its end.
 *
 * <p>Who carries the thread is told by {@link #carrierNow}, which the JVM is told not to inline:
 * compiled alone, it has no earlier answer to fall back on. Between two calls of it nothing waits
 * but where {@link #pause} is called.
 */
final class ArenasAcrossUnmounts {
  private static final int ROUNDS = 1_000_000;
  private static final int THREADS_PER_CARRIER = 3;

  /**
   * Unchecked: the first use of a class, and of a carrier, may wait and so be carried elsewhere.
   */
  private static final int FIRST_ROUNDS = 2_000;

  /** Two of them do not fit into a block, so that the second one takes a larger one. */
  private static final int BYTES = 400;

  private static final int BLOCK = 512;

  private static final Object MONITOR = new Object();
  private static boolean checked;
  private static final Set<Thread> CARRIERS = ConcurrentHashMap.newKeySet();
  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private static final LongAdder MIGRATED = new LongAdder();
  private static final LongAdder TAKEN = new LongAdder();
  private static final LongAdder KEPT = new LongAdder();

  private ArenasAcrossUnmounts() {}

  public static void main(String[] args) throws Exception {
    runThreads(FIRST_ROUNDS);
    checked = true;
    runThreads(ROUNDS);
    Figures.print("carriers", CARRIERS.size());
    Figures.print("migrated", MIGRATED.sum());
    Figures.print("taken from the carrier", TAKEN.sum());
    Figures.print("kept by the carrier", KEPT.sum());
    PoolAudit.checkAtRest();
  }

  private static void runThreads(int rounds) throws InterruptedException {
    int count = THREADS_PER_CARRIER * Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long mark = (i + 1L) << 32;
      threads.add(Thread.ofVirtual().start(() -> work(mark, rounds / count)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (FAILURE.get() != null) {
      throw new AssertionError(FAILURE.get());
    }
  }

  private static void work(long mark, int rounds) {
    try {
      for (int round = 0; round < rounds && FAILURE.get() == null; round++) {
        useArena(mark + round, round);
      }
    } catch (Throwable failure) {
      FAILURE.compareAndSet(null, failure);
    }
  }

  private static void useArena(long mark, int round) {
    Thread opener = carrierNow();
    long before = PoolAudit.bytesOf(opener);
    Arena arena = Arenas.ofConfined();
    checkMoved(opener, before, -BLOCK, TAKEN);
    pause(round);
    MemorySegment first = arena.allocate(BYTES);
    Marked.write(first, mark);
    pause(round + 1);
    if (round % 4 == 0) {
      Marked.write(arena.allocate(BYTES), mark);
      pause(round + 2);
    }
    Marked.replace(first, mark, -mark);
    Thread closer = carrierNow();
    before = PoolAudit.bytesOf(closer);
    arena.close();
    if (round % 4 != 0) {
      checkMoved(closer, before, BLOCK, KEPT);
    }
    MIGRATED.add(opener == closer ? 0 : 1);
  }

  /**
   * Fails if the memory of {@code carrier}, and of nobody else, did not change so, or not at all.
   */
  private static void checkMoved(Thread carrier, long before, long change, LongAdder moved) {
    long found = PoolAudit.bytesOf(carrier) - before;
    CARRIERS.add(carrier); // may wait, and so comes second
    if (!checked || carrier != carrierNow()) {
      return;
    }
    if (found != 0 && found != change) {
      throw new AssertionError("change of " + carrier + ": " + found + " instead of " + change);
    }
    moved.add(found == 0 ? 0 : 1);
  }

  private static void pause(int round) {
    if (round % 64 == 0) {
      LockSupport.parkNanos(1);
    } else if (round % 8 == 0) {
      synchronized (MONITOR) {
        Thread.yield();
      }
    } else {
      Thread.yield();
    }
  }

  /** Not inlined, see above. */
  private static Thread carrierNow() {
    return Carrier.current();
  }
}
