package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The proof that arenas are pooled: the second one is given the memory of the first, and the pool
 * has counted both. An address that comes again proves nothing by itself, because malloc does that,
 * too.
 *
 * @param name whose arenas they are
 * @param arenas makes them
 * @param servedFromSlab what the pool has counted
 */
record PooledCheck(String name, Supplier<Arena> arenas, LongSupplier servedFromSlab) {
  /**
   * Others may get in between: threads that share slots, the housekeeper that frees them, a virtual
   * thread's change of carriers.
   */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  static PooledCheck of(ArenaPool pool) {
    return new PooledCheck(pool.toString(), pool::take, () -> pool.statistics().servedFromSlab());
  }

  /** For what the agent makes of the JDK's arenas. */
  static PooledCheck ofAgent() {
    return new PooledCheck("the agent", Arena::ofConfined, AgentPool::servedFromSlab);
  }

  /**
   * Checks that memory is reused.
   *
   * @throws IllegalStateException if it is not
   */
  @SuppressWarnings("ThreadPriorityCheck") // only to get on sooner
  void memoryIsReused() {
    long startNanos = System.nanoTime();
    do {
      long served = servedFromSlab.getAsLong();
      long first = address();
      long second = address();
      if (first == second && servedFromSlab.getAsLong() >= served + 2) {
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

  /**
   * Checks that arenas are the JDK's own where the pool is off, and nowhere else.
   *
   * @throws IllegalStateException if they are not
   */
  void arenasAreOurs(boolean expected) {
    try (Arena arena = arenas.get()) {
      String type = arena.getClass().getName();
      if (type.startsWith("dev.rockpool.") != expected) {
        throw new IllegalStateException("The arena of " + name + " is a " + type);
      }
    }
  }
}
