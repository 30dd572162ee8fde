package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
import org.jspecify.annotations.Nullable;

/** The shared pool as only this package sees it, for programs that other tests start. */
public final class PoolAudit {
  /** Bytes that each allocation of the pool may take beyond its slabs, to align them. */
  private static final int SLACK = 64;

  private PoolAudit() {}

  /** Fails unless no arena owns a slab and each slab is zero; call while no thread is at work. */
  public static void checkAtRest() {
    Pool pool = ArenaPool.shared().pool;
    if (pool.owned() != 0) {
      throw new AssertionError("slabs owned while no arena is open: " + pool.owned());
    }
    pool.checkInvariants();
  }

  /** Native memory of all platform threads (in bytes), with what ended ones have left. */
  public static long bytesOfThreads() {
    return ArenaPool.shared().pool.registry().byteSize();
  }

  /** The number of slabs that arenas own; exact while no thread is at work. */
  public static int owned() {
    return ArenaPool.shared().pool.owned();
  }

  /** The most native memory that the slabs of so many platform threads take (in bytes). */
  public static long mostBytesOfThreads(int threads) {
    ArenaPool pool = ArenaPool.shared();
    return threads * (pool.slabByteSize() * pool.slabsPerThread() + SLACK);
  }

  /** The most native memory that the slabs of all threads together take (in bytes). */
  public static long mostBytesShared() {
    ArenaPool pool = ArenaPool.shared();
    return pool.sharedSlots() * (pool.slabByteSize() + Pool.LARGER_BYTE_SIZE + 2L * SLACK);
  }

  /** Whether {@code address} is in a slab of {@code thread}, and if so, in which; -1 if not. */
  public static int slabAt(Thread thread, long address) {
    Pool pool = ArenaPool.shared().pool;
    @Nullable ThreadSlabs slabs = pool.cachedSlabsOf(thread.threadId());
    if (slabs == null) {
      return -1;
    }
    long offset = address - slabs.address(Run.of(0, 1));
    long size = pool.slabByteSize();
    return offset >= 0 && offset < size * pool.registry().slabsPerThread()
        ? (int) (offset / size)
        : -1;
  }
}
