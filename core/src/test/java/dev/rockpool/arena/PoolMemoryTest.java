package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** The native memory of a pool is freed when nothing can reach it, and never before. */
class PoolMemoryTest {
  private static final int SLAB = 1 << 16;

  private static ArenaPool pool() {
    return ArenaPool.builder().slabByteSize(SLAB).slabsPerThread(2).build();
  }

  private static MemorySegment openAndFill(ArenaPool pool) {
    return pool.take().allocate(SLAB).fill((byte) 6);
  }

  private static void useOnce(ArenaPool pool) {
    try (Arena arena = pool.take()) {
      arena.allocate(SLAB).fill((byte) 5);
    }
  }

  /** The registry of a pool that is unreachable when this returns. */
  private static SlabRegistry registryOfAbandoned(ArenaPool pool) throws Exception {
    useOnce(pool);
    ThreadKind.PLATFORM.call(
        () -> {
          useOnce(pool);
          return null;
        });
    return pool.pool.registry();
  }

  @Test
  void memoryOfAllThreadsIsFreedOncePoolIsUnreachable() throws Exception {
    SlabRegistry registry = registryOfAbandoned(pool());
    Collected.await("the pool", () -> registry.threads() == 0);
    assertThat(registry.owned()).isZero();
  }

  @Test
  void memoryOfAPoolThatIsReachableIsNotFreed() throws Exception {
    ArenaPool pool = pool();
    SlabRegistry registry = registryOfAbandoned(pool);
    SlabRegistry other = registryOfAbandoned(pool());
    Collected.await("the other pool", () -> other.threads() == 0);
    assertThat(registry.threads()).as("the other thread has ended").isEqualTo(1);
    useOnce(pool);
    Reference.reachabilityFence(pool);
  }

  @Test
  void openArenaKeepsThePoolReachable() throws Exception {
    ArenaPool pool = pool();
    SlabRegistry registry = registryOfAbandoned(pool);
    WeakReference<ArenaPool> face = new WeakReference<>(pool);
    Arena arena = pool.take();
    pool = null;

    Collected.await("the pool itself", () -> face.refersTo(null));
    SlabRegistry other = registryOfAbandoned(pool());
    Collected.await("another pool", () -> other.threads() == 0);

    assertThat(registry.threads()).as("not freed").isEqualTo(1);
    assertThat(arena.allocate(SLAB).fill((byte) 1).get(ValueLayout.JAVA_BYTE, 9))
        .isEqualTo((byte) 1);
    arena.close();
    registry.checkInvariants();
  }

  @Test
  void memoryOfAnArenaNeverClosedIsNeverFreed() throws Exception {
    ArenaPool pool = pool();
    SlabRegistry registry = registryOfAbandoned(pool);
    MemorySegment alive = openAndFill(pool);
    pool = null;
    Collected.await("the thread without open arenas", () -> registry.threads() == 1);
    assertThat(registry.owned()).isEqualTo(1);
    assertThat(alive.toArray(ValueLayout.JAVA_BYTE)).containsOnly(6);
  }
}
