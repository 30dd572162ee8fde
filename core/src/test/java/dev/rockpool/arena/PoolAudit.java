package dev.rockpool.arena;

/** The shared pool as only this package sees it, for programs that other tests start. */
public final class PoolAudit {
  private static final BlockPool POOL = ArenaPool.shared().pool;

  private PoolAudit() {}

  /** Fails unless all kept memory is zero; call while no thread is at work. */
  public static void checkAtRest() {
    POOL.memory().checkInvariants();
  }

  /** Kept memory of {@code thread} (in bytes); to be called on it, or on what it carries. */
  public static long bytesOf(Thread thread) {
    ThreadBlocks blocks =
        POOL.byThreadId()[(int) thread.threadId() & (POOL.byThreadId().length - 1)];
    return blocks == null ? 0 : (long) blocks.count() * POOL.blockByteSize();
  }

  /** The most memory that so many platform threads keep (in bytes). */
  public static long mostBytesOfThreads(int threads) {
    return (long) threads * POOL.blockByteSize() * POOL.memory().blocksPerThread;
  }

  /** The memory in blocks that threads share (in bytes). */
  public static long bytesShared() {
    return (long) POOL.memory().striped.count() * POOL.blockByteSize();
  }
}
