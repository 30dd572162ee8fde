package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Native code reads and writes the memory, calls back, and keeps the arena from closing. */
class DowncallTest extends ArenaContract {
  private static final int ENOENT = 2;

  @Test
  void nativeCodeReadsStrings() throws Throwable {
    for (int length = 0; length < slabByteSize() + 3; length += 7) {
      try (Arena arena = open()) {
        MemorySegment text = arena.allocateFrom("x".repeat(length));
        assertThat(LibC.strlen(text)).isEqualTo(length);
      }
    }
  }

  @Test
  void nativeCodeWritesMemoryThatIsZeroAgainInTheNextArena() throws Throwable {
    for (int byteSize = 1; byteSize < slabByteSize() + 3; byteSize += 5) {
      try (Arena arena = open()) {
        MemorySegment memory = arena.allocate(byteSize);
        assertZero(memory);
        LibC.memset(memory, 0x5a);
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x5a);
      }
    }
  }

  @Test
  void structReturnedByValueIsAllocatedInTheArena() throws Throwable {
    try (Arena arena = open()) {
      MemorySegment result = LibC.lldiv(arena, 47, 10);
      assertThat(result.toArray(ValueLayout.JAVA_LONG)).containsExactly(4, 7);
      assertThat(result.scope()).isEqualTo(arena.scope());
      assertThat(owned()).isEqualTo(ownedBy(1));
    }
  }

  @Test
  void structReturnedByValueIsAllocatedInASliceOfTheArena() throws Throwable {
    try (Arena arena = open()) {
      SegmentAllocator slices = SegmentAllocator.slicingAllocator(arena.allocate(64, 8));
      MemorySegment one = LibC.lldiv(slices, 47, 10);
      MemorySegment other = LibC.lldiv(slices, -9, 2);
      assertThat(one.toArray(ValueLayout.JAVA_LONG)).containsExactly(4, 7);
      assertThat(other.toArray(ValueLayout.JAVA_LONG)).containsExactly(-4, -1);
    }
  }

  @Test
  void errnoIsCapturedInMemoryOfTheArena() throws Throwable {
    try (Arena arena = open()) {
      MemorySegment callState = arena.allocate(LibC.callStateLayout());
      MemorySegment path = arena.allocateFrom("/no such folder/at all");
      assertThat(LibC.errnoOfRmdir(callState, path)).isEqualTo(ENOENT);
    }
  }

  @Test
  void upcallStubLivesInTheArenaOfTheDataItSorts() throws Throwable {
    try (Arena arena = open()) {
      MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 3, 1, 2);
      LibC.qsort(longs, arena, Long::compare);
      assertThat(longs.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 2, 3);
    }
  }

  @Test
  void arenaIsNotClosedWhileNativeCodeUsesIt() {
    assertSameAsJdk("stub elsewhere", arena -> closeInUpcall(arena, Arena.ofAuto()));
    assertSameAsJdk("stub in the same arena", arena -> closeInUpcall(arena, arena));
  }

  @Test
  void arenaThatCouldNotBeClosedStillOwnsItsSlab() throws Throwable {
    try (Arena arena = open()) {
      closeInUpcall(arena, Arena.ofAuto());
      assertThat(owned()).isEqualTo(ownedBy(1));
      try (Arena other = open()) {
        other.allocate(24).fill((byte) -1);
      }
      // 24 bytes of longs take 32 of the slab.
      assertThat(takeRoomLeft(arena)).isEqualTo(isPooled() ? runByteSize() - 32 : 16);
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

  private static String close(Arena arena) {
    arena.close();
    return "closed";
  }

  @Test
  void arenasOpenedInAnUpcallAreServedBesideThoseInUse() throws Throwable {
    try (Arena arena = open()) {
      MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 5, 4, 3, 2, 1);
      List<Integer> ownedInUpcall = new ArrayList<>();
      LibC.qsort(
          longs,
          arena,
          (a, b) -> {
            try (Arena inner = open()) {
              MemorySegment pair = inner.allocate(ValueLayout.JAVA_LONG, 2);
              assertZero(pair);
              pair.setAtIndex(ValueLayout.JAVA_LONG, 0, a);
              pair.setAtIndex(ValueLayout.JAVA_LONG, 1, b);
              ownedInUpcall.add(owned());
              return Long.compare(
                  pair.getAtIndex(ValueLayout.JAVA_LONG, 0),
                  pair.getAtIndex(ValueLayout.JAVA_LONG, 1));
            }
          });
      assertThat(longs.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 2, 3, 4, 5);
      assertThat(ownedInUpcall).isNotEmpty().containsOnly(ownedBy(2));
    }
  }

  @Test
  void memoryAllocatedDuringAnUpcallOutlivesIt() throws Throwable {
    try (Arena arena = open()) {
      List<MemorySegment> kept = new ArrayList<>();
      MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 2, 1);
      LibC.qsort(
          longs,
          Arena.ofAuto(),
          (a, b) -> {
            kept.add(arena.allocateFrom(ValueLayout.JAVA_LONG, a + b));
            return Long.compare(a, b);
          });
      assertThat(kept).isNotEmpty().allMatch(m -> m.get(ValueLayout.JAVA_LONG, 0) == 3);
    }
  }

  @Test
  void downcallsRefuseMemoryOfClosedArenas() {
    assertSameAsJdk(
        "strlen",
        arena -> {
          MemorySegment text = arena.allocateFrom("text");
          arena.close();
          return LibC.strlen(text);
        });
    assertSameAsJdk(
        "memset",
        arena -> {
          MemorySegment memory = arena.allocate(8);
          arena.close();
          LibC.memset(memory, 1);
          return "set";
        });
  }

  @Test
  void downcallsRefuseMemoryOfOtherThreads() {
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
