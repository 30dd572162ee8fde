package dev.rockpool.bench.soak;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolStatistics;

/** A pool's own figures against the known ones. */
final class Balance {
  private Balance() {}

  /**
   * The documented law: each arena that was closed after it had used a block is counted once.
   *
   * @throws Violation if it is broken
   */
  static PoolStatistics check(ArenaPool pool, long expected) {
    PoolStatistics statistics = pool.statistics();
    if (statistics.arenasClosed() != expected) {
      throw new Violation(
          "A pool must count each arena that used a block, once: closed="
              + expected
              + ", counted="
              + statistics);
    }
    return statistics;
  }
}
