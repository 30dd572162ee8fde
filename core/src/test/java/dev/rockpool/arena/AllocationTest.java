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
import org.junit.jupiter.api.Test;

/** The memory from {@code allocate}: its place, its size, and that it is zero. */
class AllocationTest extends ArenaContract {
  /** JDK 28 aligns the JDK's small allocations to what was asked for only. */
  private static final long LEAST_ALIGNMENT = Runtime.version().feature() < 28 ? 16 : 1;

  @Test
  void slabIsTakenAtTheFirstAllocationThatFits() {
    try (Arena arena = open()) {
      assertThat(owned()).as("at first").isZero();
      arena.allocate(largestByteSize() + 1);
      assertThat(owned()).as("after an allocation that does not fit").isZero();
      arena.allocate(1);
      assertThat(owned()).as("after one that fits").isEqualTo(ownedBy(1));
    }
    assertThat(owned()).as("after close").isZero();
  }

  @Test
  void arenaServesAllocationsFromSlabsSideBySideUntilTheyAreFull() {
    try (Arena arena = open()) {
      assertThat(takeRoomLeft(arena)).isEqualTo(isPooled() ? runByteSize() : 16);
      assertThat(owned()).isEqualTo(ownedByOneWithFullRun());
    }
  }

  @Test
  void anAllocationOfAWholeSlabFits() {
    try (Arena arena = open()) {
      MemorySegment whole = arena.allocate(slabByteSize());
      assertThat(owned()).isEqualTo(ownedBy(1));
      whole.fill((byte) -1);
      MemorySegment next = arena.allocate(1);
      assertDisjoint(List.of(whole, next));
      assertZero(next);
    }
  }

  @Test
  void memoryIsZeroInNewArenasAndInThoseThatReuseIt() {
    int slab = slabByteSize();
    for (int byteSize : new int[] {0, 1, 7, 8, 15, 16, 17, slab - 1, slab, slab + 1, 3 * slab}) {
      for (int use = 0; use < 3; use++) {
        try (Arena arena = open()) {
          for (int i = 0; i < 4; i++) {
            MemorySegment memory = arena.allocate(byteSize);
            assertZero(memory);
            memory.fill((byte) -1);
          }
        }
      }
    }
  }

  @Test
  void segmentIsPlainNativeMemoryOfTheSizeAskedFor() {
    try (Arena arena = open()) {
      for (int byteSize = 0; byteSize < slabByteSize() + 40; byteSize += 13) {
        MemorySegment memory = arena.allocate(byteSize);
        assertThat(memory.byteSize()).isEqualTo(byteSize);
        assertThat(memory.isNative()).isTrue();
        assertThat(memory.isMapped()).isFalse();
        assertThat(memory.isReadOnly()).isFalse();
        assertThat(memory.heapBase()).isEmpty();
        assertThat(memory.scope()).isEqualTo(arena.scope());
      }
    }
  }

  @Test
  void accessBeyondTheEndOfASegmentThrowsAlthoughTheSlabGoesOn() {
    for (int byteSize = 0; byteSize < 40; byteSize++) {
      int end = byteSize;
      assertSameAsJdk("get at " + end, arena -> get(arena.allocate(end), end));
      assertSameAsJdk("get at -1", arena -> get(arena.allocate(end), -1));
      assertSameAsJdk("slice", arena -> arena.allocate(end).asSlice(0, end + 1));
      assertSameAsJdk(
          "int at the end",
          arena -> arena.allocate(end + 4).get(ValueLayout.JAVA_INT_UNALIGNED, end + 1));
    }
  }

  private static Object get(MemorySegment segment, long offset) {
    return segment.get(ValueLayout.JAVA_BYTE, offset);
  }

  @Test
  void zeroLengthSegmentsHaveAddressesOfTheirOwn() {
    try (Arena arena = open()) {
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 100; i++) {
        long alignment = 1L << i % 8;
        assertThat(addresses.add(arena.allocate(0, alignment).address())).as("empty").isTrue();
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
          memory.fill((byte) -1);
          live.add(memory);
        }
        assertDisjoint(live);
      }
    }
  }

  @Test
  void alignmentUpToThatOfTheSlabIsServedFromIt() {
    for (long alignment = 1; alignment <= 64; alignment *= 2) {
      try (Arena arena = open()) {
        arena.allocate(slabByteSize(), alignment);
        assertThat(owned()).as("aligned to %s", alignment).isEqualTo(ownedBy(1));
      }
    }
  }

  @Test
  void liveSegmentsOfNestedArenasKeepWhatIsTheirs() {
    Random random = new Random(2);
    List<Arena> arenas = new ArrayList<>();
    List<MemorySegment> live = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      arenas.add(open());
    }
    for (int i = 0; i < 300; i++) {
      Arena arena = arenas.get(random.nextInt(arenas.size()));
      MemorySegment memory =
          arena.allocate(random.nextInt(slabByteSize() / 3), 1L << random.nextInt(8));
      assertZero(memory);
      memory.fill((byte) i);
      live.add(memory);
    }
    assertThat(owned()).isGreaterThanOrEqualTo(ownedBy(1));
    assertDisjoint(live);
    for (int i = 0; i < live.size(); i++) {
      byte[] bytes = live.get(i).toArray(ValueLayout.JAVA_BYTE);
      for (byte actual : bytes) {
        assertThat(actual).as("segment %s", i).isEqualTo((byte) i);
      }
    }
    arenas.forEach(Arena::close);
  }

  @Test
  void anArenaThatOutgrowsItsSlabKeepsWhatWasInIt() {
    try (Arena arena = open()) {
      List<MemorySegment> live = new ArrayList<>();
      for (int i = 0; i < 3 * slabByteSize() / 8; i++) {
        MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG);
        memory.set(ValueLayout.JAVA_LONG, 0, ~i);
        live.add(memory);
      }
      assertDisjoint(live);
      for (int i = 0; i < live.size(); i++) {
        assertThat(live.get(i).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(~i);
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
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT.withByteAlignment(128))) {
      assertSameAsJdk(layout, arena -> arena.allocate(layout));
      for (long count : new long[] {-1, 0, 1, 3, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertSameAsJdk(count + " of " + layout, arena -> arena.allocate(layout, count));
      }
    }
  }

  private static void assertDisjoint(List<MemorySegment> segments) {
    List<MemorySegment> byAddress = new ArrayList<>(segments);
    byAddress.sort((a, b) -> Long.compareUnsigned(a.address(), b.address()));
    for (int i = 1; i < byAddress.size(); i++) {
      MemorySegment below = byAddress.get(i - 1);
      MemorySegment above = byAddress.get(i);
      assertThat(above.address())
          .as("%s starts behind the end of %s", above, below)
          .isGreaterThanOrEqualTo(below.address() + Math.max(1, below.byteSize()));
    }
  }
}
