package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each arena that allocated is counted once, for what became of it. */
class PoolStatisticsTest {
  private static final int OF_THREAD = 7 * 512 + 48;

  private final ArenaPool pool = ArenaPool.builder().sharedSlots(2).build();

  private void use(int... byteSizes) {
    try (Arena arena = pool.take()) {
      for (int byteSize : byteSizes) {
        arena.allocate(byteSize);
      }
    }
  }

  private void assertCounts(long served, long tooLarge, long noneLeft) {
    PoolStatistics now = pool.statistics();
    assertThat(List.of(now.servedFromSlab(), now.tooLarge(), now.noneLeft()))
        .as("served, too large, none left")
        .containsExactly(served, tooLarge, noneLeft);
    assertThat(now.arenasClosed()).isEqualTo(served + tooLarge + noneLeft);
  }

  @Test
  void newPoolHoldsNothing() {
    assertThat(pool.statistics()).isEqualTo(new PoolStatistics(State.ON, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void arenasThatNeverAllocatedAreNotCounted() {
    use();
    use();
    assertThat(pool.statistics()).isEqualTo(new PoolStatistics(State.ON, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void arenasThatDoNotAllocateLeaveSlabsToThoseThatDo() {
    use(1);
    List<Arena> idle = Stream.generate(pool::take).limit(20).toList();
    use(1);
    use(1, 600);
    idle.forEach(Arena::close);
    assertCounts(3, 0, 0);
  }

  /** Even a thread's only slab. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anArenaThatDoesNotAllocateLeavesFewSlabsToo(int slabsPerThread) {
    Pool few = Pool.of(512, slabsPerThread, 0);
    try (Arena first = few.open()) {
      first.allocate(1); // makes the thread's slabs
    }
    try (Arena idle = few.open();
        Arena inner = few.open()) {
      inner.allocate(1);
      assertThat(idle.scope().isAlive()).isTrue();
    }
    assertThat(few.statistics().servedFromSlab()).isEqualTo(2);
    assertThat(few.statistics().noneLeft()).isZero();
    few.registry().freeAll();
  }

  @ParameterizedTest
  @EnumSource
  void eachArenaIsCountedOnce(ThreadKind kind) throws Exception {
    kind.call(
        () -> {
          use(1);
          use(1, 2, 3);
          use(512);
          use(300, 300, 300);
          use(4096);
          use(100, 8000);
          assertCounts(6, 0, 0);
          use(8193);
          use(10, 9000, 10);
          use(9000, 10);
          use(8192, 8);
          assertCounts(6, 4, 0);
          return null;
        });
  }

  @Test
  void alignmentsBeyondThatOfASlabAreTooLarge() {
    try (Arena arena = pool.take()) {
      arena.allocate(8, 4096);
    }
    assertCounts(0, 1, 0);
  }

  @Test
  void refusedArgumentsAreNotCounted() {
    try (Arena arena = pool.take()) {
      assertThat(Outcome.of(() -> arena.allocate(-1))).startsWith("throws");
      assertThat(Outcome.of(() -> arena.allocate(8, 3))).startsWith("throws");
    }
    assertCounts(0, 0, 0);
  }

  @Test
  void arenasBeyondTheLastSlabAreCountedForWhatTheyLacked() {
    List<Arena> open = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Arena arena = pool.take();
      arena.allocate(8);
      open.add(arena);
    }
    open.forEach(Arena::close);
    assertCounts(7, 0, 3);
    for (int i = 0; i < 3; i++) {
      Arena arena = pool.take();
      arena.allocate(5000);
      open.add(arena);
    }
    open.subList(10, 13).forEach(Arena::close);
    assertCounts(9, 0, 4);
  }

  @Test
  void openArenasAreNotCountedYet() {
    Arena arena = pool.take();
    arena.allocate(8);
    assertCounts(0, 0, 0);
    arena.close();
    assertCounts(1, 0, 0);
  }

  @Test
  void memoryAndThreadsAreThoseOfTheLiving() throws Exception {
    use(8);
    assertThat(pool.statistics().bytesHeld()).isEqualTo(OF_THREAD);
    assertThat(pool.statistics().threads()).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      ThreadKind.PLATFORM.call(
          () -> {
            use(8);
            assertThat(pool.statistics().threads()).isEqualTo(2);
            return null;
          });
    }
    assertThat(pool.statistics().bytesHeld()).isEqualTo(OF_THREAD);
    assertThat(pool.statistics().threads()).isEqualTo(1);
    assertCounts(21, 0, 0);
    use(8192);
    assertThat(pool.statistics().bytesHeld()).isEqualTo(OF_THREAD + 8192 + 48);
  }

  @Test
  void countsOfEndedThreadsAreKept() throws Exception {
    for (int i = 0; i < 5; i++) {
      ThreadKind.PLATFORM.call(
          () -> {
            use(8);
            use(20_000);
            return null;
          });
      assertCounts(i + 1, i + 1, 0);
    }
  }

  @Test
  void virtualThreadsAreNotThreadsOfTheirOwn() throws Exception {
    for (int i = 0; i < 50; i++) {
      ThreadKind.VIRTUAL.call(
          () -> {
            use(8);
            return null;
          });
    }
    assertCounts(50, 0, 0);
    int carriers = Runtime.getRuntime().availableProcessors();
    assertThat(pool.statistics().threads()).isBetween(0, Carrier.isReachable() ? carriers : 0);
    assertThat(pool.statistics().bytesHeld())
        .isBetween(1L, Carrier.isReachable() ? (long) carriers * OF_THREAD : 2 * (512 + 48));
  }

  @Test
  void poolThatIsOffSaysSoAndCountsNothing() {
    ArenaPool off = ArenaPool.builder().slabsPerThread(0).build();
    try (Arena arena = off.take()) {
      arena.allocate(8);
    }
    assertThat(off.statistics()).isEqualTo(new PoolStatistics(State.OFF, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(off.sharedSlots()).isZero();
  }
}
