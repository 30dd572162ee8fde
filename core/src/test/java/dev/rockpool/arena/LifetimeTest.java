package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Open, nested, closed, closed twice. */
@Tag("jdk")
class LifetimeTest extends ArenaContract {
  @Test
  void closedSegmentStaysClosedAlthoughItsMemoryIsReused() {
    open().allocate(8); // never closed
    Arena first = open();
    MemorySegment stale = first.allocate(blockByteSize());
    MemorySegment slice = stale.asSlice(4);
    ByteBuffer staleBuffer = stale.asByteBuffer();
    assertThat(slice.scope().isAlive()).isTrue();
    first.close();
    assertThat(slice.scope().isAlive()).isFalse();
    try (Arena second = open()) {
      MemorySegment reused = second.allocate(16);
      if (isPooled()) {
        assertThat(reused.address()).as("the block is the same").isEqualTo(stale.address());
      }
      assertThat(second.scope()).isNotEqualTo(first.scope());
      assertThat(Outcome.of(() -> stale.get(ValueLayout.JAVA_BYTE, 0))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> stale.fill((byte) 1))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> staleBuffer.get(0))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> staleBuffer.put(0, (byte) 1))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> stale.copyFrom(reused))).isEqualTo(CLOSED);
      assertZero(reused);
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
        memories.add(allocateFilled(all.get(i), 32, i + 1));
      }
      // The digits of "order" in the factorial number system are a permutation.
      for (int left = arenas, digits = order; left > 0; digits /= left, left--) {
        all.get(open.remove(digits % left)).close();
        try (Arena inner = open()) {
          allocateFilled(inner, 20, -1);
        }
        open.forEach(i -> assertFilled(memories.get(i), i + 1));
      }
    }
  }

  @Test
  void closingTwiceThrowsAndGivesNothingBackTwice() {
    for (int byteSize : new int[] {0, 16, blockByteSize() + 1, 20_000}) {
      Arena twice = open();
      if (byteSize != 0) {
        twice.allocate(16);
        twice.allocate(byteSize);
      }
      twice.close();
      assertThat(Outcome.of(() -> close(twice))).isEqualTo(CLOSED);
      try (Arena next = open();
          Arena other = open()) {
        MemorySegment memory = allocateFilled(next, blockByteSize() + 1, 5);
        assertThat(Outcome.of(() -> close(twice))).isEqualTo(CLOSED);
        allocateFilled(other, blockByteSize() + 1, 6);
        assertFilled(memory, 5);
      }
    }
  }

  @Test
  void closedArenaAllocatesNothingAndTakesNothing() {
    assertSameAsJdk("good", arena -> close(arena) + arena.allocate(8));
    assertSameAsJdk("empty", arena -> close(arena) + arena.allocate(0));
    assertSameAsJdk("aligned", arena -> close(arena) + arena.allocate(8, 64));
    assertSameAsJdk("larger", arena -> close(arena) + arena.allocate(blockByteSize() + 1));
    assertSameAsJdk("large", arena -> close(arena) + arena.allocate(1 << 20));
    assertSameAsJdk("bad size", arena -> close(arena) + arena.allocate(-1));
    assertSameAsJdk("bad alignment", arena -> close(arena) + arena.allocate(8, 3));
    assertSameAsJdk("string", arena -> close(arena) + arena.allocateFrom("text"));
    assertSameAsJdk("null", arena -> close(arena) + arena.allocateFrom((String) null));
    assertSameAsJdk("long", arena -> close(arena) + arena.allocateFrom(ValueLayout.JAVA_LONG, 1));
    assertSameAsJdk(
        "array", arena -> close(arena) + arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2));
  }
}
