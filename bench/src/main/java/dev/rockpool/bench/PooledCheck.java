package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.ArenaPoolMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The proof that arenas are pooled: the pool counts them, and allocates no block for them. An
 * address that comes again would prove nothing, because malloc does that, too.
 */
final class PooledCheck {
  /** Two counts of a pool. */
  private record Counts(long arenasClosed, long blocksAllocated) {}

  /**
   * A thread's first arena finds no kept block, and others may get in between: threads that share a
   * stripe, a virtual thread's change of carriers.
   */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final long REGISTRATION_NANOS = 10_000_000_000L;

  private PooledCheck() {}

  static void requireReuse(ArenaPool pool) {
    requireReuse(
        pool.toString(),
        pool::take,
        () -> new Counts(pool.statistics().arenasClosed(), pool.statistics().blocksAllocated()));
  }

  static void requireReuseByAgent() {
    requireReuse("the agent", Arena::ofConfined, PooledCheck::countsOfAgent);
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

  @SuppressWarnings("ThreadPriorityCheck") // only to get on sooner
  private static void requireReuse(String name, Supplier<Arena> arenas, Supplier<Counts> counts) {
    long startNanos = System.nanoTime();
    do {
      Counts before = counts.get();
      try (Arena arena = arenas.get()) {
        arena.allocate(Long.BYTES);
      }
      Counts after = counts.get();
      if (after.arenasClosed > before.arenasClosed
          && after.blocksAllocated == before.blocksAllocated) {
        return;
      }
      Thread.yield();
    } while (System.nanoTime() - startNanos < PATIENCE_NANOS);
    throw new IllegalStateException("Memory is not reused: " + name);
  }
}
