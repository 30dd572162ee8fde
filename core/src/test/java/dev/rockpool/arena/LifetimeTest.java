package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Open, nested, closed, closed twice, never closed. */
class LifetimeTest extends ArenaContract {
  private static final String CLOSED = "throws java.lang.IllegalStateException: Already closed";

  @Test
  void segmentIsAliveUntilItsArenaIsClosed() {
    Arena arena = open();
    MemorySegment memory = arena.allocate(8);
    MemorySegment slice = memory.asSlice(4);
    assertThat(memory.scope().isAlive()).isTrue();
    arena.close();
    assertThat(memory.scope().isAlive()).isFalse();
    assertThat(slice.scope().isAlive()).isFalse();
    assertThat(arena.scope().isAlive()).isFalse();
  }

  @Test
  void closedSegmentStaysClosedAlthoughItsMemoryIsReused() {
    Arena first = open();
    MemorySegment stale = first.allocate(16);
    ByteBuffer staleBuffer = stale.asByteBuffer();
    first.close();
    try (Arena second = open()) {
      MemorySegment reused = second.allocate(16);
      if (isPooled()) {
        assertThat(reused.address()).as("the slab is the same").isEqualTo(stale.address());
      }
      assertThat(Outcome.of(() -> stale.get(ValueLayout.JAVA_BYTE, 0))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> stale.fill((byte) 1))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> staleBuffer.get(0))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> staleBuffer.put(0, (byte) 1))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> stale.copyFrom(reused))).isEqualTo(CLOSED);
      assertZero(reused);
    }
  }

  @Test
  void segmentsHaveTheScopeOfTheirArenaAndOfNoOther() {
    try (Arena one = open();
        Arena other = open()) {
      assertThat(one.allocate(8).scope()).isEqualTo(one.scope()).isNotEqualTo(other.scope());
      assertThat(one.allocateFrom("a").scope()).isEqualTo(one.scope());
      assertThat(one.allocate(2L * slabByteSize()).scope()).isEqualTo(one.scope());
      assertThat(one.allocate(8).asSlice(4).scope()).isEqualTo(one.scope());
      assertThat(one.allocate(8).scope()).hasSameHashCodeAs(one.scope());
      assertThat(one.scope()).isNotEqualTo(Arena.global().scope());
    }
  }

  @Test
  void scopesOfArenasOneAfterAnotherDiffer() {
    Arena first = open();
    first.allocate(8);
    first.close();
    try (Arena second = open()) {
      second.allocate(8);
      assertThat(second.scope()).isNotEqualTo(first.scope());
    }
  }

  @Test
  void nestedArenasAreClosedInAnyOrder() {
    int arenas = 4;
    for (int order = 0; order < 4 * 3 * 2; order++) {
      List<Integer> open = new ArrayList<>(IntStream.range(0, arenas).boxed().toList());
      List<Arena> all = new ArrayList<>();
      List<MemorySegment> memories = new ArrayList<>();
      for (int i = 0; i < arenas; i++) {
        all.add(open());
        memories.add(all.get(i).allocate(32).fill((byte) (i + 1)));
      }
      // The digits of "order" in the factorial number system are a permutation.
      for (int left = arenas, digits = order; left > 0; digits /= left, left--) {
        all.get(open.remove(digits % left)).close();

        long withSlab = open.stream().filter(i -> i < ownedBy(arenas)).count();
        assertThat(owned()).as("slabs owned by %s in order %s", open, order).isEqualTo(withSlab);
        try (Arena inner = open()) {
          assertUsable(inner);
        }
        for (int i : open) {
          byte[] expected = new byte[32];
          Arrays.fill(expected, (byte) (i + 1));
          assertThat(memories.get(i).toArray(ValueLayout.JAVA_BYTE))
              .as("memory of arena %s in order %s", i, order)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void thereMayBeMoreOpenArenasThanSlabs() {
    List<Arena> open = new ArrayList<>();
    List<MemorySegment> memories = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Arena arena = open();
      open.add(arena);
      memories.add(arena.allocateFrom(ValueLayout.JAVA_INT, i));
      assertThat(owned()).isEqualTo(ownedBy(i + 1));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(memories.get(i).get(ValueLayout.JAVA_INT, 0)).isEqualTo(i);
    }
    open.forEach(Arena::close);
  }

  @Test
  void closingTwiceThrowsAndGivesNothingBackTwice() {
    Arena twice = open();
    twice.allocate(16);
    twice.close();
    try (Arena next = open()) {
      MemorySegment memory = next.allocate(16).fill((byte) 5);
      assertThat(Outcome.of(() -> close(twice))).isEqualTo(CLOSED);
      assertThat(owned()).isEqualTo(ownedBy(1));
      assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 8)).isEqualTo(0x0505050505050505L);
    }
  }

  @Test
  void anUnusedArenaIsClosedLikeAnyOther() {
    Arena unused = open();
    unused.close();
    assertThat(Outcome.of(() -> close(unused))).isEqualTo(CLOSED);
    assertThat(unused.scope().isAlive()).isFalse();
  }

  @Test
  void closedArenaAllocatesNothingAndTakesNothing() {
    assertSameAsJdk("good", arena -> close(arena) + arena.allocate(8));
    assertSameAsJdk("empty", arena -> close(arena) + arena.allocate(0));
    assertSameAsJdk("aligned", arena -> close(arena) + arena.allocate(8, 64));
    assertSameAsJdk("large", arena -> close(arena) + arena.allocate(1 << 20));
    assertSameAsJdk("bad size", arena -> close(arena) + arena.allocate(-1));
    assertSameAsJdk("bad alignment", arena -> close(arena) + arena.allocate(8, 3));
    assertSameAsJdk("string", arena -> close(arena) + arena.allocateFrom("text"));
    assertSameAsJdk("long", arena -> close(arena) + arena.allocateFrom(ValueLayout.JAVA_LONG, 1));
    assertSameAsJdk(
        "array", arena -> close(arena) + arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2));
    assertThat(owned()).isZero();
  }

  private static String close(Arena arena) {
    arena.close();
    return "closed ";
  }

  @Test
  void anArenaNeverClosedCostsItsSlabAndNothingElse() {
    Arena lost = neverCloses();
    MemorySegment memory = lost.allocate(20).fill((byte) 9);
    assertThat(owned()).isEqualTo(ownedBy(1));
    for (int i = 0; i < 100; i++) {
      try (Arena arena = open();
          Arena inner = open()) {
        assertUsable(arena);
        assertUsable(inner);
        assertThat(owned()).isEqualTo(ownedBy(3));
      }
    }
    assertThat(owned()).isEqualTo(ownedBy(1));
    assertThat(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 8)).isEqualTo(0x0909090909090909L);
  }
}
