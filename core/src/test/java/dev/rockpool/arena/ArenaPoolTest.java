package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.arena.PoolStatistics.State;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The public face: the shared pool, pools of one's own, and their sizes. */
class ArenaPoolTest {
  private static ArenaPool build(long blockByteSize, int blocksPerThread) {
    return ArenaPool.builder()
        .blockByteSize(blockByteSize)
        .blocksPerThread(blocksPerThread)
        .build();
  }

  @Test
  void sharedPoolAndNewOnesHaveTheDefaultSizes() {
    assertThat(ArenaPool.shared()).isSameAs(ArenaPool.shared());
    for (ArenaPool pool : List.of(ArenaPool.shared(), ArenaPool.builder().build())) {
      assertThat(pool).hasToString("ArenaPool[blockByteSize=512, blocksPerThread=8]");
    }
  }

  @Test
  void arenasAreThoseOfTheSharedPool() {
    long address;
    try (Arena arena = Arenas.ofConfined()) {
      address = arena.allocate(8).address();
    }
    try (Arena arena = ArenaPool.shared().take()) {
      assertThat(arena.allocate(8).address()).isEqualTo(address);
    }
  }

  @ParameterizedTest
  @CsvSource({"64, 1", "64, 64", "512, 8", "4096, 2", "1048576, 1", "1048576, 64"})
  void poolHasTheSizesOfItsBuilder(long blockByteSize, int blocksPerThread) {
    ArenaPool pool = build(blockByteSize, blocksPerThread);
    assertThat(pool.blockByteSize()).isEqualTo(blockByteSize);
    assertThat(pool.blocksPerThread()).isEqualTo(blocksPerThread);
    try (Arena arena = pool.take()) {
      MemorySegment whole = arena.allocate(blockByteSize);
      whole.set(ValueLayout.JAVA_BYTE, blockByteSize - 1, (byte) 1);
    }
    assertThat(pool.statistics().bytesKept()).isEqualTo(blockByteSize);
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "512, 0", "0, 0"})
  void poolThatIsOffHandsOutArenasOfTheJdk(long blockByteSize, int blocksPerThread) {
    ArenaPool off = build(blockByteSize, blocksPerThread);
    assertThat(off).hasToString("ArenaPool[blockByteSize=0, blocksPerThread=0]");
    try (Arena arena = off.take();
        Arena jdk = Arena.ofConfined()) {
      assertThat(arena).hasSameClassAs(jdk);
      arena.allocate(8);
    }
    assertThat(off.statistics())
        .isEqualTo(new PoolStatistics(State.OFF, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1, 32, 63, 65, 500, 1 << 21, 1L << 32, (1L << 32) + 64, Long.MIN_VALUE})
  void blockSizeOutOfRangeThrowsAndChangesNothing(long byteSize) {
    ArenaPool.Builder builder = ArenaPool.builder().blockByteSize(128);
    assertThatThrownBy(() -> builder.blockByteSize(byteSize))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "blockByteSize must be 0 (off) or a power of two from 64 to 1048576: blockByteSize=%s",
            byteSize);
    assertThat(builder.build().blockByteSize()).isEqualTo(128);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65, 128, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void blocksPerThreadOutOfRangeThrowsAndChangesNothing(int blocks) {
    ArenaPool.Builder builder = ArenaPool.builder().blocksPerThread(3);
    assertThatThrownBy(() -> builder.blocksPerThread(blocks))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "blocksPerThread must be 0 (off) or a number from 1 to 64: blocksPerThread=%s", blocks);
    assertThat(builder.build().blocksPerThread()).isEqualTo(3);
  }

  @Test
  void arenasOfSeveralPoolsAreOpenAtOnceAndClosedInAnyOrder() {
    Random random = new Random(3);
    List<ArenaPool> pools = List.of(ArenaPool.shared(), build(64, 3), build(256, 3), build(512, 3));
    for (int round = 0; round < 200; round++) {
      List<Runnable> checksAndCloses = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Arena arena = pools.get(random.nextInt(pools.size())).take();
        long mark = random.nextLong();
        MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_LONG, mark, ~mark);
        checksAndCloses.add(
            () -> {
              assertThat(memory.toArray(ValueLayout.JAVA_LONG)).containsExactly(mark, ~mark);
              arena.close();
            });
      }
      Collections.shuffle(checksAndCloses, random);
      checksAndCloses.forEach(Runnable::run);
    }
    pools.forEach(pool -> pool.pool.memory().checkInvariants());
  }
}
