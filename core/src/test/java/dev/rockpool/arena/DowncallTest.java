package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Native code reads and writes the memory, calls back, and keeps the arena from closing. */
@SuppressWarnings("restricted")
@Tag("jdk")
class DowncallTest extends ArenaContract {
  @Test
  void nativeCodeReadsAndWritesMemoryThatIsZeroAgainInTheNextArena() throws Throwable {
    for (int byteSize = 1; byteSize < blockByteSize() + 3; byteSize += 5) {
      try (Arena arena = open()) {
        MemorySegment memory = arena.allocate(byteSize);
        assertZero(memory);
        LibC.memset(memory, 0x5a);
        assertFilled(memory, 0x5a);
        assertThat(LibC.strlen(arena.allocateFrom("x".repeat(byteSize)))).isEqualTo(byteSize);
      }
    }
  }

  @Test
  void structReturnedByValueIsAllocatedInTheArena() throws Throwable {
    try (Arena arena = open()) {
      MemorySegment result = LibC.lldiv(arena, 47, 10);
      assertThat(result.toArray(ValueLayout.JAVA_LONG)).containsExactly(4, 7);
      assertThat(result.scope()).isEqualTo(arena.scope());
      SegmentAllocator slices = SegmentAllocator.slicingAllocator(arena.allocate(64, 8));
      MemorySegment one = LibC.lldiv(slices, 47, 10);
      MemorySegment other = LibC.lldiv(slices, -9, 2);
      assertThat(one.toArray(ValueLayout.JAVA_LONG)).containsExactly(4, 7);
      assertThat(other.toArray(ValueLayout.JAVA_LONG)).containsExactly(-4, -1);
    }
  }

  @Test
  void arenaIsNotClosedWhileNativeCodeUsesItAndStillOwnsItsBlock() throws Throwable {
    assertSameAsJdk("stub elsewhere", arena -> closeInUpcall(arena, Arena.ofAuto()));
    assertSameAsJdk("stub in the same arena", arena -> closeInUpcall(arena, arena));
    try (Arena arena = open()) {
      MemorySegment last = arena.allocate(16);
      closeInUpcall(arena, Arena.ofAuto());
      try (Arena other = open()) {
        allocateFilled(other, 24, -1);
      }
      // 24 bytes of longs take 32 of the block.
      assertNothingTakenSince(last.reinterpret(48).asSlice(32), arena);
    }
  }

  /** Tries to close {@code arena} while qsort sorts its memory; tells what came of it. */
  private static String closeInUpcall(Arena arena, Arena stub) throws Throwable {
    MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 3, 1, 2);
    List<String> outcomes = new ArrayList<>();
    LibC.qsort(
        longs,
        stub,
        (a, b) -> {
          outcomes.add(Outcome.of(() -> close(arena)));
          return Long.compare(a, b);
        });
    assertThat(outcomes).isNotEmpty().allMatch(o -> o.contains("acquired"), "refused");
    assertThat(arena.scope().isAlive()).isTrue();
    assertThat(longs.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 2, 3);
    return outcomes.getFirst();
  }

  @Test
  void arenasOpenedInAnUpcallAreServedBesideThoseInUse() throws Throwable {
    try (Arena arena = open()) {
      MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 5, 4, 3, 2, 1);
      List<MemorySegment> kept = new ArrayList<>();
      LibC.qsort(
          longs,
          arena,
          (a, b) -> {
            try (Arena inner = open()) {
              MemorySegment pair = inner.allocate(ValueLayout.JAVA_LONG, 2);
              assertZero(pair);
              pair.setAtIndex(ValueLayout.JAVA_LONG, 0, a);
              pair.setAtIndex(ValueLayout.JAVA_LONG, 1, b);
              kept.add(arena.allocateFrom(ValueLayout.JAVA_LONG, 7));
              return Long.compare(
                  pair.getAtIndex(ValueLayout.JAVA_LONG, 0),
                  pair.getAtIndex(ValueLayout.JAVA_LONG, 1));
            }
          });
      assertThat(longs.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 2, 3, 4, 5);
      assertThat(kept).isNotEmpty().allMatch(m -> m.get(ValueLayout.JAVA_LONG, 0) == 7);
    }
  }

  @Test
  void downcallsRefuseMemoryOfClosedArenasAndOtherThreads() {
    assertSameAsJdk(
        "closed",
        arena -> {
          MemorySegment text = arena.allocateFrom("text");
          arena.close();
          return LibC.strlen(text);
        });
    for (ThreadKind other : ThreadKind.values()) {
      assertSameAsJdk(
          other,
          arena -> {
            MemorySegment text = arena.allocateFrom("text");
            return other.call(() -> Outcome.of(() -> LibC.strlen(text)));
          });
    }
  }
}
