package dev.rockpool.arena;

/** The checks of a pool's own invariants. */
public final class PoolAudit {
  /** At least as many as any pool has for threads that keep no blocks. */
  private static final int MOST_STRIPES = 1024;

  private PoolAudit() {}

  /** Fails unless all kept memory is zero; call while no thread is at work. */
  public static void checkAtRest(ArenaPool pool) {
    pool.pool.memory().checkInvariants();
  }

  /** The most native memory that a pool may keep for so many platform threads (in bytes). */
  public static long mostBytesKept(ArenaPool pool, int threads) {
    long blocks = (long) threads * pool.blocksPerThread() + MOST_STRIPES;
    return blocks * pool.blockByteSize();
  }
}
