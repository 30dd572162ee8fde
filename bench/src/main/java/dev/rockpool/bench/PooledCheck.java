package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.ArenaPoolMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The proof that arenas are pooled: the second one is given the memory of the first, and the pool
 * has counted both. An address that comes again proves nothing by itself, because malloc does that,
 * too.
 *
 * @param name whose arenas they are
 * @param arenas makes them
 * @param fromKeptBlock what the pool has counted
 */
record PooledCheck(String name, Supplier<Arena> arenas, LongSupplier fromKeptBlock) {
  /**
   * A thread's first arena finds no kept block, and others may get in between: threads that share a
   * stripe, a virtual thread's change of carriers.
   */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final long REGISTRATION_NANOS = 10_000_000_000L;

  static PooledCheck of(ArenaPool pool) {
    return new PooledCheck(pool.toString(), pool::take, () -> pool.statistics().fromKeptBlock());
  }

  /** For what the agent makes of the JDK's arenas. */
  static PooledCheck ofAgent() {
    return new PooledCheck("the agent", Arena::ofConfined, PooledCheck::servedByAgent);
  }

  private static long servedByAgent() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName pool = new ObjectName(ArenaPoolMXBean.NAME);
      long startNanos = System.nanoTime();
      while (!server.isRegistered(pool) && System.nanoTime() - startNanos < REGISTRATION_NANOS) {
        Thread.sleep(10); // the agent looks for the server once a second
      }
      return (long) server.getAttribute(pool, "FromKeptBlock");
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
      long served = fromKeptBlock.getAsLong();
      long first = address();
      long second = address();
      if (first == second && fromKeptBlock.getAsLong() >= served + 2) {
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
