package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is closed stays closed, and what is in use is not closed. {@link TwinsTest} closes nested
 * arenas in any order.
 */
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
      assertThat(Outcome.of(() -> staleBuffer.put(0, (byte) 1))).isEqualTo(CLOSED);
      assertThat(Outcome.of(() -> stale.copyFrom(reused))).isEqualTo(CLOSED);
      assertZero(reused);
    }
  }

  @Test
  void closingTwiceThrowsAndGivesNothingBackTwice() {
    for (int byteSize : new int[] {0, 16, blockByteSize() + 1}) {
      Arena twice = open();
      allocateFilled(twice, byteSize, 1);
      twice.close();
      assertThat(Outcome.of(() -> close(twice))).isEqualTo(CLOSED);
      try (Arena next = open();
          Arena other = open()) {
        MemorySegment memory = allocateFilled(next, blockByteSize(), 5);
        assertThat(Outcome.of(() -> close(twice))).isEqualTo(CLOSED);
        allocateFilled(other, blockByteSize(), 6);
        assertFilled(memory, 5);
      }
    }
  }

  @Test
  void arenaIsNotClosedWhileNativeCodeUsesItAndStillOwnsItsBlock() throws Throwable {
    assertSameAsJdk("stub elsewhere", arena -> closeInUpcall(arena, Arena.ofAuto()));
    assertSameAsJdk("stub in the same arena", arena -> closeInUpcall(arena, arena));
  }

  /** Tries to close {@code arena} while qsort sorts its memory; tells what came of it. */
  private String closeInUpcall(Arena arena, Arena stub) throws Throwable {
    MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 3, 1, 2);
    List<String> outcomes = new ArrayList<>();
    LibC.qsort(
        longs,
        stub,
        () -> {
          outcomes.add(Outcome.of(() -> close(arena)));
          try (Arena inner = open()) {
            allocateFilled(inner, blockByteSize(), -1);
          }
        });
    assertThat(outcomes).isNotEmpty().allMatch(o -> o.contains("acquired"), "refused");
    assertThat(arena.scope().isAlive()).isTrue();
    assertThat(longs.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 2, 3);
    return outcomes.getFirst();
  }

  @Test
  void closedArenaAllocatesNothing() {
    uses().forEach((what, use) -> assertSameAsJdk(what, arena -> close(arena) + use.of(arena)));
    assertEachSameAsJdk(
        "misuse",
        arena -> close(arena) + arena.allocate(-1),
        arena -> close(arena) + arena.allocate(8, 3),
        arena -> close(arena) + arena.allocateFrom((String) null));
  }
}
