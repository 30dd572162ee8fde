package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.ArenaPoolMXBean;
import dev.rockpool.arena.PoolStatistics;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The proof that arenas are pooled: the second one is given the memory of the first, and the pool
 * has counted both without a new block. An address that comes again proves nothing by itself,
 * because malloc does that, too.
 *
 * @param name whose arenas they are
 * @param arenas makes them
 * @param counts what the pool has counted so far
 */
record PooledCheck(String name, Supplier<Arena> arenas, Supplier<Counts> counts) {
  /** Two counts of a pool. */
  record Counts(long arenasClosed, long blocksAllocated) {
    /** Whether two arenas were served from kept blocks, and none from a new one, up to now. */
    boolean showsReuseUntil(Counts now) {
      return now.arenasClosed >= arenasClosed + 2 && now.blocksAllocated == blocksAllocated;
    }
  }

  /**
   * A thread's first arena finds no kept block, and others may get in between: threads that share a
   * stripe, a virtual thread's change of carriers.
   */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final long REGISTRATION_NANOS = 10_000_000_000L;

  static PooledCheck ofLibrary(ArenaPool pool) {
    return new PooledCheck(pool.toString(), pool::take, () -> counts(pool.statistics()));
  }

  private static Counts counts(PoolStatistics statistics) {
    return new Counts(statistics.arenasClosed(), statistics.blocksAllocated());
  }

  /** For what the agent makes of the JDK's arenas. */
  static PooledCheck ofAgent() {
    return new PooledCheck("the agent", Arena::ofConfined, PooledCheck::countsOfAgent);
  }

  private static Counts countsOfAgent() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName pool = new ObjectName(ArenaPoolMXBean.NAME);
      long startNanos = System.nanoTime();
      while (!server.isRegistered(pool) && System.nanoTime() - startNanos < REGISTRATION_NANOS) {
        Thread.sleep(10); // the agent looks for the server once a second
      }
      return new Counts(
          (long) server.getAttribute(pool, "ArenasClosed"),
          (long) server.getAttribute(pool, "BlocksAllocated"));
    } catch (JMException e) {
      throw new IllegalStateException("The agent is not there, or not of this build", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted while waiting for " + ArenaPoolMXBean.NAME, e);
    }
  }

  /** Fails unless memory is reused. */
  @SuppressWarnings("ThreadPriorityCheck") // only to get on sooner
  void requireReuse() {
    long startNanos = System.nanoTime();
    do {
      Counts before = counts.get();
      long first = address();
      long second = address();
      if (first == second && before.showsReuseUntil(counts.get())) {
        return;
      }
      Thread.yield();
    } while (System.nanoTime() - startNanos < PATIENCE_NANOS);
    throw new IllegalStateException("Memory is not reused: " + name);
  }

  private long address() {
    try (Arena arena = arenas.get()) {
      return arena.allocate(Long.BYTES).address();
    }
  }
}
