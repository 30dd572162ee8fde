package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.PoolStatistics.State;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pool counts. */
class PoolStatisticsTest {
  private static final int BLOCK = 512;

  private final ArenaPool pool = ArenaPool.builder().build();

  private void use(int... byteSizes) {
    try (Arena arena = pool.take()) {
      for (int byteSize : byteSizes) {
        arena.allocate(byteSize);
      }
    }
  }

  private void assertCounts(long arenasClosed, long blocksAllocated, long allocationsByJdk) {
    PoolStatistics now = pool.statistics();
    assertThat(List.of(now.arenasClosed(), now.blocksAllocated(), now.allocationsByJdk()))
        .as("arenas, blocks allocated, allocations by the JDK")
        .containsExactly(arenasClosed, blocksAllocated, allocationsByJdk);
  }

  @Test
  void arenasThatNeverAllocatedAreNotCountedAndTakeNoMemory() {
    use();
    use();
    assertThat(pool.statistics())
        .isEqualTo(new PoolStatistics(State.ON, BLOCK, 8, 0, 0, 0, 0, 0, 0, 0));
    use(1);
    use();
    assertCounts(1, 1, 0);
    assertThat(pool.statistics().bytesKept()).isEqualTo(BLOCK);
  }

  @ParameterizedTest
  @EnumSource
  void arenasAndWhatIsLeftToTheJdkAreCounted(ThreadKind kind) throws Throwable {
    kind.run(
        () -> {
          try (Arena early = pool.take()) { // before any block is kept
            use(1); // in a new block
            early.allocate(1); // in the same one
          }
          use(1, 2, 3);
          use(512);
          assertCounts(4, 1, 0);
          use(513);
          assertCounts(4, 1, 1);
          use(10, 9000, 10);
          use(9000, 512, 10);
          assertCounts(6, 1, 4);
        });
  }

  @Test
  void arenasBeyondTheKeptBlocksGetNewOnes() {
    for (int allocated : new int[] {20, 12, 12}) {
      long before = pool.statistics().blocksAllocated();
      List<Arena> open = Stream.generate(pool::take).limit(20).toList();
      open.forEach(arena -> arena.allocate(512));
      assertThat(pool.statistics().bytesKept()).isZero();
      open.forEach(Arena::close);
      assertThat(pool.statistics().blocksAllocated() - before).isEqualTo(allocated);
      assertThat(pool.statistics().bytesKept()).isEqualTo(8 * BLOCK);
    }
    assertCounts(60, 44, 0);
  }

  @Test
  void memoryOfEndedThreadsIsFreedAndTheirCountsAreKept() throws Throwable {
    for (int i = 1; i <= 5; i++) {
      ThreadKind.PLATFORM.run(
          () -> {
            use(8);
            use(8);
            use(20_000);
            assertThat(pool.statistics().threads()).isEqualTo(1);
          });
      assertCounts(2L * i, i, i);
      assertThat(pool.statistics().threads()).isZero();
      assertThat(pool.statistics().bytesKept()).isZero();
    }
  }

  @Test
  @Tag("jdk")
  void virtualThreadsAreNotThreadsOfTheirOwn() throws Throwable {
    for (int i = 0; i < 50; i++) {
      ThreadKind.VIRTUAL.run(() -> use(8));
    }
    assertThat(pool.statistics().arenasClosed()).isEqualTo(50);
    boolean open = Object.class.getModule().isOpen("java.lang", ArenaPool.class.getModule());
    // The JVM may have more carriers than processors, and may replace idle ones.
    assertThat(pool.statistics().threads()).isBetween(open ? 1 : 0, open ? 40 : 0);
    assertThat(pool.statistics().bytesKept()).isBetween(1L, 50L * BLOCK);
  }
}
