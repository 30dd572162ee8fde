package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The memory from {@code allocate}: its place, that it is zero, and what is refused. */
@Tag("jdk")
class AllocationTest extends ArenaContract {
  /** JDK 28 aligns the JDK's small allocations to what was asked for only. */
  private static final long LEAST_ALIGNMENT = Runtime.version().feature() < 28 ? 16 : 1;

  /** Some are more than any system has, so that they are refused before a byte is touched. */
  private static final long[] BAD_SIZES = {
    -1, -8, Integer.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 8, 1L << 62, Long.MAX_VALUE - 7
  };

  private static final long[] ALIGNMENTS = {
    1, 64, 4096, 0, -1, 3, 12, 65, -8, Integer.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62
  };

  @Test
  void allocationsLieSideBySideUntilTheBlockIsFull() {
    for (int round = 0; round < 3; round++) {
      try (Arena arena = open()) {
        MemorySegment first = allocateFilled(arena, blockByteSize() - 32, 1);
        assertNothingTakenSince(first.asSlice(blockByteSize() - 48), arena);
        MemorySegment last = allocateFilled(arena, 1, 2);
        MemorySegment next = allocateFilled(arena, 16, 3);
        if (isPooled()) {
          assertThat(last.address()).isEqualTo(first.address() + blockByteSize() - 16);
          assertThat(next.address()).isNotEqualTo(first.address() + blockByteSize());
        }
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
    for (int round = 0; round < 200; round++) {
      try (Arena arena = open()) {
        List<MemorySegment> live = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          long alignment = 1L << random.nextInt(round % 2 == 0 ? 8 : 17);
          MemorySegment memory = arena.allocate(random.nextInt(40), alignment);
          assertThat(memory.address() % Math.max(alignment, LEAST_ALIGNMENT))
              .as("address modulo alignment %s, after %s", alignment, live)
              .isZero();
          assertThat(memory.scope()).isEqualTo(arena.scope());
          assertZero(memory);
          live.add(memory.fill((byte) -1));
        }
        assertDisjoint(live);
      }
    }
  }

  @Test
  void badSizesAndAlignmentsThrowWhatTheJdkThrowsAndTakeNothing() {
    for (long alignment : ALIGNMENTS) {
      for (long byteSize : new long[] {0, 1, 8}) {
        String what = byteSize + " bytes aligned to " + alignment;
        assertSameAsJdk(what, arena -> arena.allocate(byteSize, alignment));
      }
      for (long byteSize : BAD_SIZES) {
        assertEachSameAsJdk(
            byteSize + " bytes aligned to " + alignment,
            arena -> arena.allocate(byteSize),
            arena -> arena.allocate(byteSize, alignment));
        try (Arena arena = open()) {
          MemorySegment last = arena.allocate(16);
          assertThat(Outcome.of(() -> arena.allocate(byteSize, alignment))).startsWith("throws");
          assertNothingTakenSince(last, arena);
        }
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
            MemoryLayout.structLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_BYTE),
            MemoryLayout.structLayout(),
            ValueLayout.JAVA_INT.withByteAlignment(128))) {
      assertSameAsJdk(layout, arena -> arena.allocate(layout));
      for (long count : new long[] {-1, 0, 1, 3, 1000, 1L << 60, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertSameAsJdk(count + " of " + layout, arena -> arena.allocate(layout, count));
      }
    }
  }
}
