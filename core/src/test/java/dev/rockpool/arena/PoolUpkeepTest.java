package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What is given back once a second, without anybody asking. */
class PoolUpkeepTest {
  private final SlabTable table = SlabTable.of(512, 7, 4);
  private final PoolUpkeep upkeep = new PoolUpkeep(table);

  private void use(int byteSize) {
    try (Arena arena = table.open()) {
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
    assertThat(table.byteSize()).isPositive();
    assertThat(upkeep.getAsBoolean()).isTrue();
    assertThat(table.byteSize()).isZero();
  }

  @Test
  void memoryOfEndedThreadsWithAnArenaNeverClosedStays() throws Exception {
    byte[] left =
        ThreadKind.PLATFORM.call(
            () -> {
              long address = table.open().allocate(100).fill((byte) 9).address();
              upkeep.getAsBoolean();
              return LibC.peek(address, 100);
            });
    assertThat(left).containsOnly(9);
    upkeep.getAsBoolean();
    assertThat(table.byteSize()).isPositive();
    assertThat(table.owned()).isEqualTo(1);
    assertThat(table.registry().threads()).isZero();
    table.checkInvariants();
  }

  @Test
  void memoryOfTheLivingStays() {
    use(8);
    long held = table.byteSize();
    upkeep.getAsBoolean();
    upkeep.getAsBoolean();
    assertThat(table.byteSize()).isEqualTo(held);
    table.registry().freeAll();
  }

  @Test
  void largerSlabsThatLieIdleAreFreed() {
    use(8);
    long withoutLarger = table.byteSize();
    use(8000);
    assertThat(table.byteSize()).isGreaterThan(withoutLarger + 8000);
    upkeep.getAsBoolean();
    upkeep.getAsBoolean();
    assertThat(table.byteSize()).isEqualTo(withoutLarger);
    table.registry().freeAll();
  }

  @Test
  void allIsFreedOnceNothingCanReachThePool() {
    Dropped dropped = useAndDrop();
    assertThat(dropped.registry.byteSize()).isPositive();
    Collected.await("the pool", () -> !dropped.upkeep.getAsBoolean());
    assertThat(dropped.registry.byteSize()).isZero();
    assertThat(dropped.larger.byteSize()).isZero();
  }

  private record Dropped(PoolUpkeep upkeep, SlabRegistry registry, SharedSlabs larger) {}

  /** A method of its own, as the interpreter keeps what a local variable once held. */
  private static Dropped useAndDrop() {
    SlabTable table = SlabTable.of(512, 7, 4);
    try (Arena arena = table.open()) {
      arena.allocate(8);
      arena.allocate(8000);
    }
    return new Dropped(new PoolUpkeep(table), table.registry(), table.larger());
  }
}
