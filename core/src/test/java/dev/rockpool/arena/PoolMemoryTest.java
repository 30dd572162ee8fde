package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Account;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Kept memory is freed when nothing can reach the pool, and never before. */
class PoolMemoryTest {
  private static final int BLOCK = 1 << 16;

  private static ArenaPool pool() {
    return ArenaPool.builder().blockByteSize(BLOCK).blocksPerThread(2).build();
  }

  private static long bytes(PoolMemory memory) {
    return memory.statistics(State.ON).bytesKept();
  }

  private static void useOnce(ArenaPool pool) {
    try (Arena arena = pool.take()) {
      arena.allocate(BLOCK).fill((byte) 5);
    }
  }

  /** The memory of a pool that is unreachable when this returns, unless the caller has it. */
  private static PoolMemory used(ArenaPool pool) {
    useOnce(pool);
    assertThat(bytes(pool.pool.memory())).isEqualTo(BLOCK);
    return pool.pool.memory();
  }

  @Test
  void memoryIsFreedOncePoolIsUnreachableAndNotBefore() {
    ArenaPool reachable = pool();
    PoolMemory kept = used(reachable);
    PoolMemory other = used(pool());
    Collected.await("the other pool", () -> bytes(other) == 0);
    assertThat(bytes(kept)).isEqualTo(BLOCK);
    Reference.reachabilityFence(reachable);
  }

  @Test
  void openArenaKeepsThePoolReachable() {
    ArenaPool pool = pool();
    PoolMemory memory = used(pool);
    WeakReference<ArenaPool> face = new WeakReference<>(pool);
    Arena arena = pool.take();
    Arena inner = pool.take();
    inner.allocate(BLOCK);
    inner.close();
    pool = null;

    Collected.await("the pool itself", () -> face.refersTo(null));
    PoolMemory other = used(pool());
    Collected.await("another pool", () -> bytes(other) == 0);

    assertThat(bytes(memory)).as("not freed").isEqualTo(BLOCK);
    ArenaContract.allocateFilled(arena, BLOCK, 1);
    arena.close();
    memory.checkInvariants();
  }

  @Test
  void viewKeepsTheBlocksAsThePoolDoes() {
    ArenaPool pool = pool();
    PoolMemory memory = used(pool);
    BlockPool view = pool.pool.heldBy(Account.NONE);
    WeakReference<BlockPool> viewed = new WeakReference<>(pool.pool);
    pool = null;

    Collected.await("the pool itself", () -> viewed.refersTo(null));
    PoolMemory other = used(pool());
    Collected.await("another pool", () -> bytes(other) == 0);

    assertThat(bytes(memory)).as("not freed").isEqualTo(BLOCK);
    Reference.reachabilityFence(view);
  }

  @Test
  void memoryOfAnArenaNeverClosedIsNeverFreed() {
    ArenaPool pool = pool();
    PoolMemory memory = used(pool);
    MemorySegment alive = ArenaContract.allocateFilled(pool.take(), BLOCK, 6);
    useOnce(pool);
    pool = null;
    Collected.await("what is kept", () -> bytes(memory) == 0);
    ArenaContract.assertFilled(alive, 6);
  }

  /**
   * A weak reference to a pool is cleared before a finalizer runs, which may still use the pool.
   */
  @Test
  void memoryIsNotFreedWhileAFinalizerMayUseThePool() {
    CompletableFuture<ArenaPool> finalized = new CompletableFuture<>();
    PoolMemory memory = usedByFinalizer(finalized);
    Collected.await("the finalizable object", finalized::isDone);
    PoolMemory other = used(pool());
    Collected.await("another pool", () -> bytes(other) == 0);

    assertThat(bytes(memory)).as("not freed").isEqualTo(BLOCK);
    useOnce(finalized.join());
    memory.checkInvariants();
  }

  /** In a method of its own, so that no local variable holds the object. */
  private static PoolMemory usedByFinalizer(CompletableFuture<ArenaPool> finalized) {
    Finalizable dropped = new Finalizable(pool(), finalized);
    return used(dropped.pool);
  }

  private static final class Finalizable {
    private final ArenaPool pool;
    private final CompletableFuture<ArenaPool> finalized;

    Finalizable(ArenaPool pool, CompletableFuture<ArenaPool> finalized) {
      this.pool = pool;
      this.finalized = finalized;
    }

    @Override
    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {
      finalized.complete(pool);
    }
  }
}
