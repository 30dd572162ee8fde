package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** The memory that is given back once a second, unasked. */
class PoolUpkeepTest {
  private final Pool pool = Pool.of(512, 7, 4);
  private final Pool.Upkeep upkeep = new Pool.Upkeep(pool);

  private void use(int byteSize) {
    try (Arena arena = pool.open()) {
      arena.allocate(byteSize);
    }
  }

  @Test
  void memoryOfEndedThreadsIsFreed() throws Exception {
    ThreadKind.PLATFORM.call(
        () -> {
          use(8);
          return null;
        });
    assertThat(pool.byteSize()).isPositive();
    assertThat(upkeep.getAsBoolean()).isTrue();
    assertThat(pool.byteSize()).isZero();
  }

  @Test
  void memoryOfEndedThreadsWithAnArenaNeverClosedStays() throws Exception {
    byte[] left =
        ThreadKind.PLATFORM.call(
            () -> {
              long address = pool.open().allocate(100).fill((byte) 9).address();
              upkeep.getAsBoolean();
              return LibC.peek(address, 100);
            });
    assertThat(left).containsOnly(9);
    upkeep.getAsBoolean();
    assertThat(pool.byteSize()).isPositive();
    assertThat(pool.owned()).isEqualTo(1);
    assertThat(pool.registry().threads()).isZero();
    pool.checkInvariants();
  }

  @Test
  void memoryOfTheLivingStays() {
    use(8);
    long held = pool.byteSize();
    upkeep.getAsBoolean();
    upkeep.getAsBoolean();
    assertThat(pool.byteSize()).isEqualTo(held);
    pool.registry().freeAll();
  }

  @Test
  void largerSlabsThatLieIdleAreFreed() {
    use(8);
    long withoutLarger = pool.byteSize();
    use(8000);
    assertThat(pool.byteSize()).isGreaterThan(withoutLarger + 8000);
    upkeep.getAsBoolean();
    upkeep.getAsBoolean();
    assertThat(pool.byteSize()).isEqualTo(withoutLarger);
    pool.registry().freeAll();
  }

  @Test
  void allIsFreedOnceNothingCanReachThePool() {
    Dropped dropped = useAndDrop();
    assertThat(dropped.registry.byteSize()).isPositive();
    Collected.await("the pool", () -> !dropped.upkeep.getAsBoolean());
    assertThat(dropped.registry.byteSize()).isZero();
    assertThat(dropped.larger.byteSize()).isZero();
  }

  private record Dropped(Pool.Upkeep upkeep, SlabRegistry registry, SharedSlabs larger) {}

  /** A method of its own, as the interpreter keeps what a local variable once held. */
  private static Dropped useAndDrop() {
    Pool pool = Pool.of(512, 7, 4);
    try (Arena arena = pool.open()) {
      arena.allocate(8);
      arena.allocate(8000);
    }
    return new Dropped(new Pool.Upkeep(pool), pool.registry(), pool.larger());
  }
}
