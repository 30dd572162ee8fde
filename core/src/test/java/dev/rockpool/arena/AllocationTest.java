package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The memory from {@code allocate}: its place, its size, and that it is zero. */
@Tag("jdk")
class AllocationTest extends ArenaContract {
  /** JDK 28 aligns the JDK's small allocations to what was asked for only. */
  private static final long LEAST_ALIGNMENT = Runtime.version().feature() < 28 ? 16 : 1;

  @Test
  void allocationsLieSideBySideUntilTheBlockIsFull() {
    for (int round = 0; round < 3; round++) {
      try (Arena arena = open()) {
        long first = allocateFilled(arena, blockByteSize() - 32, 1).address();
        if (isPooled() && round > 0) {
          long end = first + blockByteSize() - 32;
          assertThat(arena.allocate(1).address()).isEqualTo(end);
          assertThat(arena.allocate(16).address()).isEqualTo(end + 16);
          assertThat(arena.allocate(16).address()).isNotEqualTo(end + 32);
        }
      }
    }
  }

  @Test
  void memoryIsZeroInNewArenasAndInThoseThatReuseIt() {
    int block = blockByteSize();
    for (int byteSize :
        new int[] {
          0, 1, 7, 15, 16, 17, block - 1, block, block + 1, 3 * block, 8192, 8193, 20_000
        }) {
      for (int use = 0; use < 3; use++) {
        try (Arena arena = open()) {
          List<MemorySegment> live = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            live.add(allocateFilled(arena, byteSize, i + 1));
          }
          assertDisjoint(live);
          for (int i = 0; i < 4; i++) {
            assertFilled(live.get(i), i + 1);
          }
        }
      }
    }
  }

  @Test
  void segmentIsPlainNativeMemoryOfTheSizeAskedFor() {
    try (Arena arena = open()) {
      for (int byteSize = 0; byteSize < blockByteSize() + 40; byteSize += 13) {
        MemorySegment memory = arena.allocate(byteSize);
        assertThat(memory.byteSize()).isEqualTo(byteSize);
        assertThat(memory.isMapped()).isFalse();
        assertThat(memory.scope()).isEqualTo(arena.scope());
      }
    }
  }

  @Test
  void zeroLengthSegmentsHaveAddressesOfTheirOwn() {
    try (Arena arena = open()) {
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        assertThat(addresses.add(arena.allocate(0, 1L << i % 8).address())).as("empty").isTrue();
        assertThat(addresses.add(arena.allocate(1).address())).as("not empty").isTrue();
      }
      assertThat(addresses).doesNotContain(0L);
    }
  }

  @Test
  void eachAlignmentIsHonouredInWhateverOrder() {
    Random random = new Random(1);
    List<Integer> powers = new ArrayList<>(IntStream.rangeClosed(0, 16).boxed().toList());
    for (int round = 0; round < 60; round++) {
      Collections.shuffle(powers, random);
      try (Arena arena = open()) {
        List<MemorySegment> live = new ArrayList<>();
        for (int power : powers) {
          long alignment = 1L << power;
          MemorySegment memory = arena.allocate(random.nextInt(40), alignment);
          assertThat(memory.address() % Math.max(alignment, LEAST_ALIGNMENT))
              .as("address modulo alignment %s, after %s", alignment, live)
              .isZero();
          assertZero(memory);
          live.add(memory.fill((byte) -1));
        }
        assertDisjoint(live);
      }
    }
  }

  /** Small ones, ones that outgrow the first block or the second, and aligned ones. */
  @Test
  void liveSegmentsOfNestedArenasKeepWhatIsTheirs() {
    Random random = new Random(2);
    for (int round = 0; round < 10; round++) {
      List<Arena> arenas = new ArrayList<>();
      List<MemorySegment> live = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        arenas.add(open());
      }
      for (int i = 0; i < 100; i++) {
        Arena arena = arenas.get(random.nextInt(arenas.size()));
        int bound = random.nextInt(5) == 0 ? 9000 : blockByteSize() / 3;
        MemorySegment memory = arena.allocate(random.nextInt(bound), 1L << random.nextInt(8));
        assertZero(memory);
        live.add(memory.fill((byte) i));
      }
      assertDisjoint(live);
      for (int i = 0; i < live.size(); i++) {
        assertFilled(live.get(i), i);
      }
      Collections.shuffle(arenas, random);
      arenas.forEach(Arena::close);
      for (MemorySegment stale : live) {
        assertThat(stale.scope().isAlive()).isFalse();
      }
    }
  }

  @Test
  void allocationByLayoutIsTheSameAsThatOfTheJdk() {
    MemoryLayout struct =
        MemoryLayout.structLayout(
            ValueLayout.JAVA_INT, MemoryLayout.paddingLayout(4), ValueLayout.JAVA_LONG);
    for (MemoryLayout layout :
        List.of(
            struct,
            struct.withByteAlignment(64),
            MemoryLayout.sequenceLayout(5, struct),
            MemoryLayout.sequenceLayout(0, struct),
            MemoryLayout.structLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_BYTE),
            MemoryLayout.structLayout(),
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG.withByteAlignment(64),
            ValueLayout.JAVA_INT.withByteAlignment(128))) {
      assertSameAsJdk(layout, arena -> arena.allocate(layout));
      for (long count : new long[] {-1, 0, 1, 3, 1000, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertSameAsJdk(count + " of " + layout, arena -> arena.allocate(layout, count));
      }
    }
  }
}
