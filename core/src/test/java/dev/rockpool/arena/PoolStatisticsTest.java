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

/** Each arena that allocated is counted once, for what served it. */
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

  private void assertCounts(long fromKept, long fromFresh, long byJdk) {
    PoolStatistics now = pool.statistics();
    assertThat(List.of(now.fromKeptBlock(), now.fromFreshBlock(), now.byJdk()))
        .as("from kept, from fresh, by the JDK")
        .containsExactly(fromKept, fromFresh, byJdk);
    assertThat(now.arenasClosed()).isEqualTo(fromKept + fromFresh + byJdk);
  }

  @Test
  void arenasThatNeverAllocatedAreNotCountedAndTakeNoMemory() {
    use();
    use();
    assertThat(pool.statistics()).isEqualTo(new PoolStatistics(State.ON, 0, 0, 0, 0, 0, 0, 0));
    use(1);
    use();
    assertCounts(0, 1, 0);
    assertThat(pool.statistics().bytesKept()).isEqualTo(BLOCK);
  }

  @ParameterizedTest
  @EnumSource
  void eachArenaIsCountedOnce(ThreadKind kind) throws Throwable {
    kind.run(
        () -> {
          use(1); // fresh, because the thread keeps none
          use(1);
          use(1, 2, 3);
          use(512);
          assertCounts(3, 1, 0);
          use(8193);
          use(10, 9000, 10);
          use(9000, 10);
          assertCounts(3, 1, 3);
        });
  }

  @Test
  void largeBlocksAreKeptBySize() {
    use(1);
    use(4096);
    use(100, 8000);
    use(300, 300, 300);
    assertCounts(2, 2, 0);
    use(8192, 8);
    use(8, 8192, 8);
    assertCounts(2, 2, 2);
    assertThat(pool.statistics().bytesKept()).isEqualTo(BLOCK + 8192);
  }

  @Test
  void arenasBeyondTheKeptBlocksAreFresh() {
    for (int fresh : new int[] {20, 12, 12}) {
      long before = pool.statistics().fromFreshBlock();
      List<Arena> open = Stream.generate(pool::take).limit(20).toList();
      open.forEach(arena -> arena.allocate(512));
      assertThat(pool.statistics().bytesKept()).isZero();
      open.forEach(Arena::close);
      assertThat(pool.statistics().fromFreshBlock() - before).isEqualTo(fresh);
      assertThat(pool.statistics().bytesKept()).isEqualTo(8 * BLOCK);
    }
    assertCounts(16, 44, 0);
  }

  @Test
  void countsOfEndedThreadsAreKept() throws Throwable {
    for (int i = 1; i <= 5; i++) {
      ThreadKind.PLATFORM.run(
          () -> {
            use(8);
            use(8);
            use(20_000);
            assertThat(pool.statistics().threads()).isEqualTo(1);
          });
      assertCounts(i, i, i);
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

  @Test
  void poolThatIsOffSaysSoAndCountsNothing() {
    ArenaPool off = ArenaPool.builder().blocksPerThread(0).build();
    try (Arena arena = off.take()) {
      arena.allocate(8);
    }
    assertThat(off.statistics()).isEqualTo(new PoolStatistics(State.OFF, 0, 0, 0, 0, 0, 0, 0));
  }
}
