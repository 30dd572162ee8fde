package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** The public face: the shared pool, pools of one's own, their sizes, and their end. */
class ArenaPoolTest {
  @Test
  void sharedPoolHasTheDefaultSizes() {
    ArenaPool shared = ArenaPool.shared();
    assertThat(shared).isSameAs(ArenaPool.shared());
    assertThat(shared.slabByteSize()).isEqualTo(512);
    assertThat(shared.slabsPerThread()).isEqualTo(7);
    assertThat(shared).hasToString("ArenaPool[slabByteSize=512, slabsPerThread=7]");
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

  @Test
  void builderStartsFromTheDefaultSizes() {
    ArenaPool pool = ArenaPool.builder().build();
    assertThat(pool).hasToString("ArenaPool[slabByteSize=512, slabsPerThread=7]");
    assertThat(pool).isNotSameAs(ArenaPool.shared());
  }

  @ParameterizedTest
  @CsvSource({"64, 1", "64, 64", "512, 7", "4096, 2", "1048576, 1", "1048576, 64"})
  void poolHasTheSizesOfItsBuilder(long slabByteSize, int slabsPerThread) {
    ArenaPool pool =
        ArenaPool.builder().slabByteSize(slabByteSize).slabsPerThread(slabsPerThread).build();
    assertThat(pool.slabByteSize()).isEqualTo(slabByteSize);
    assertThat(pool.slabsPerThread()).isEqualTo(slabsPerThread);
    assertThat(pool)
        .hasToString("ArenaPool[slabByteSize=%s, slabsPerThread=%s]", slabByteSize, slabsPerThread);
    try (Arena arena = pool.take()) {
      MemorySegment whole = arena.allocate(slabByteSize);
      whole.set(ValueLayout.JAVA_BYTE, slabByteSize - 1, (byte) 1);
      assertThat(pool.pool.registry().owned()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 7", "512, 0", "0, 0"})
  void poolThatIsOffHandsOutArenasOfTheJdk(long slabByteSize, int slabsPerThread) {
    ArenaPool off =
        ArenaPool.builder().slabByteSize(slabByteSize).slabsPerThread(slabsPerThread).build();
    assertThat(off).hasToString("ArenaPool[slabByteSize=0, slabsPerThread=0]");
    assertThat(off.slabByteSize()).isZero();
    assertThat(off.slabsPerThread()).isZero();
    try (Arena arena = off.take();
        Arena jdk = Arena.ofConfined()) {
      assertThat(arena).hasSameClassAs(jdk);
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        -1,
        1,
        32,
        63,
        65,
        500,
        1 << 21,
        1L << 32,
        (1L << 32) + 64,
        Long.MAX_VALUE,
        Long.MIN_VALUE
      })
  void slabSizeOutOfRangeThrowsAndChangesNothing(long byteSize) {
    ArenaPool.Builder builder = ArenaPool.builder().slabByteSize(128);
    assertThatThrownBy(() -> builder.slabByteSize(byteSize))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "slabByteSize must be 0 (off) or a power of two from 64 to 1048576: slabByteSize=%s",
            byteSize);
    assertThat(builder.build().slabByteSize()).isEqualTo(128);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65, 128, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void slabsPerThreadOutOfRangeThrowsAndChangesNothing(int slabs) {
    ArenaPool.Builder builder = ArenaPool.builder().slabsPerThread(3);
    assertThatThrownBy(() -> builder.slabsPerThread(slabs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "slabsPerThread must be 0 (off) or a number from 1 to 64: slabsPerThread=%s", slabs);
    assertThat(builder.build().slabsPerThread()).isEqualTo(3);
  }

  @Test
  void poolsBuiltAlikeDoNotShareSlabs() {
    ArenaPool.Builder builder = ArenaPool.builder().slabByteSize(64).slabsPerThread(1);
    ArenaPool one = builder.build();
    ArenaPool other = builder.build();
    try (Arena ofOne = one.take();
        Arena ofOther = other.take()) {
      long address = ofOne.allocate(64).address();
      assertThat(ofOther.allocate(64).address()).isNotEqualTo(address);
      assertThat(one.pool.registry().owned()).isEqualTo(1);
      assertThat(other.pool.registry().owned()).isEqualTo(1);
    }
  }

  @Test
  void arenasOfSeveralPoolsAreOpenAtOnceAndClosedInAnyOrder() {
    Random random = new Random(3);
    List<ArenaPool> pools = new ArrayList<>(List.of(ArenaPool.shared()));
    for (int slabByteSize = 64; slabByteSize <= 1024; slabByteSize *= 2) {
      pools.add(ArenaPool.builder().slabByteSize(slabByteSize).slabsPerThread(3).build());
    }
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
    for (ArenaPool pool : pools) {
      assertThat(pool.pool.registry().owned()).as("%s", pool).isZero();
      pool.pool.registry().checkInvariants();
    }
  }
}
