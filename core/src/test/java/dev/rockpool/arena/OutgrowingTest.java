package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arenas that need more than a slab: side by side, then a larger one, then the regular way. */
class OutgrowingTest extends ArenaContract {
  /** Fills each segment with a mark of its own, and fails if one is not zero before. */
  private static void allocate(Arena arena, long byteSize, List<MemorySegment> live) {
    MemorySegment memory = arena.allocate(byteSize);
    assertZero(memory);
    live.add(memory.fill((byte) (live.size() + 1)));
  }

  private static void assertIntact(List<MemorySegment> live) {
    for (int i = 0; i < live.size(); i++) {
      MemorySegment memory = live.get(i);
      byte mark = (byte) (i + 1);
      for (long offset = 0; offset < memory.byteSize(); offset++) {
        assertThat(memory.get(ValueLayout.JAVA_BYTE, offset))
            .as("byte %s of segment %s", offset, i)
            .isEqualTo(mark);
      }
    }
  }

  @Test
  void everySizeIsZeroAndComesBackZero() {
    int[] sizes = {100, 451, 512, 513, 1024, 2048, 2049, 4096, 8191, 8192, 8193, 20_000};
    for (int round = 0; round < 3; round++) {
      for (int size : sizes) {
        try (Arena arena = open()) {
          List<MemorySegment> live = new ArrayList<>();
          int ownedBefore = owned();
          allocate(arena, size, live);
          assertIntact(live);
          if (isPooled() && size <= largestByteSize()) {
            assertThat(owned()).as("%s bytes", size).isPositive();
          } else {
            assertThat(owned()).as("%s bytes", size).isEqualTo(ownedBefore);
          }
        }
        assertThat(owned()).isZero();
      }
    }
  }

  @Test
  void manySmallOnesAddUp() {
    for (int round = 0; round < 3; round++) {
      try (Arena arena = open()) {
        List<MemorySegment> live = new ArrayList<>();
        int sum = 0;
        for (int i = 0; sum < runByteSize() + 9000; i++) {
          int size = 16 + i % 7 * 16;
          allocate(arena, size, live);
          sum += size;
        }
        assertIntact(live);
        if (hasLarger()) {
          assertThat(owned()).as("its run and a larger one").isEqualTo(ownedByOneWithFullRun());
        }
      }
      assertThat(owned()).isZero();
    }
  }

  @Test
  void smallThenLargeThenSmallKeepAllThatIsTheirs() {
    int[] sizes = {slabByteSize() / 2, 4096, 24, 3000, 24, 6000, 24};
    for (int round = 0; round < 3; round++) {
      try (Arena arena = open()) {
        List<MemorySegment> live = new ArrayList<>();
        for (int size : sizes) {
          allocate(arena, size, live);
        }
        assertIntact(live);
      }
    }
  }

  @Test
  void nestedArenasOutgrowTheirsBesideEachOther() {
    List<Arena> arenas = new ArrayList<>();
    List<MemorySegment> live = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      arenas.add(open());
    }
    for (int size : new int[] {40, 300, 700, 1500, 4000}) {
      for (Arena arena : arenas) {
        allocate(arena, size, live);
      }
    }
    assertIntact(live);
    arenas.reversed().forEach(Arena::close);
    assertThat(owned()).isZero();
  }

  @Test
  void growthLeavesAtLeastOneSlabToArenasOpenedMeanwhile() {
    try (Arena outer = open()) {
      for (int i = 0; i < 20_000 / 32; i++) {
        outer.allocate(32);
      }
      int before = owned();
      try (Arena inner = open()) {
        inner.allocate(8);
        if (ownedBy(2) == 2) {
          assertThat(owned()).isEqualTo(before + 1);
        }
      }
    }
  }

  @Test
  void alignedAllocationsOutgrowTheSlabToo() {
    for (int alignment = 32; alignment <= 128; alignment *= 2) {
      try (Arena arena = open()) {
        List<MemorySegment> live = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          MemorySegment memory = arena.allocate(200, alignment);
          assertThat(memory.address() % alignment).isZero();
          assertZero(memory);
          live.add(memory.fill((byte) (i + 1)));
          arena.allocate(1);
        }
        assertIntact(live);
      }
      assertThat(owned()).isZero();
    }
  }

  @Test
  void segmentsOfEachPartEndWithTheArena() {
    List<MemorySegment> live = new ArrayList<>();
    try (Arena arena = open()) {
      for (int size : new int[] {64, 1000, 5000, 9000}) {
        allocate(arena, size, live);
      }
    }
    for (MemorySegment stale : live) {
      assertThat(Outcome.of(() -> stale.get(ValueLayout.JAVA_BYTE, 0)))
          .startsWith("throws java.lang.IllegalStateException");
    }
  }
}
