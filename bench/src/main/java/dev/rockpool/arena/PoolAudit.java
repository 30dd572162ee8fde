package dev.rockpool.arena;

/** The checks of a pool's own invariants. */
public final class PoolAudit {
  /** Bytes that each allocation of a pool may take beyond its slabs, to align them. */
  private static final int SLACK = 64;

  private PoolAudit() {}

  /** Fails unless no arena owns a slab and each slab is zero; call while no thread is at work. */
  public static void checkAtRest(ArenaPool pool) {
    int owned = pool.pool.owned();
    if (owned != 0) {
      throw new AssertionError("slabs owned while no arena is open: " + owned);
    }
    pool.pool.checkInvariants();
  }

  /** The most native memory that a pool may hold for so many platform threads (in bytes). */
  public static long mostBytes(ArenaPool pool, int threads) {
    long ofThread = pool.slabByteSize() * pool.slabsPerThread() + SLACK;
    long ofSlot = pool.slabByteSize() + Pool.LARGER_BYTE_SIZE + 2 * SLACK;
    return threads * ofThread + pool.sharedSlots() * ofSlot;
  }
}
