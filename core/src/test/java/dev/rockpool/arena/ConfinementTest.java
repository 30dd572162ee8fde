package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only its own thread may use an arena; whatever others try throws and changes nothing. */
@SuppressWarnings("restricted")
class ConfinementTest extends ArenaContract {
  private static final String WRONG_THREAD =
      "throws java.lang.WrongThreadException: Attempted access outside owning thread";

  @ParameterizedTest
  @EnumSource
  void otherThreadsCannotAllocate(ThreadKind other) {
    int slab = slabByteSize();
    for (int byteSize : new int[] {0, 1, 16, slab - 24, slab, slab + 1}) {
      for (long alignment = 1; alignment <= 256; alignment *= 4) {
        String what = byteSize + " bytes aligned to " + alignment;
        long align = alignment;
        assertWrongThread(other, what, arena -> arena.allocate(byteSize, align));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherThreadsCannotAllocateFromValues(ThreadKind other) {
    String tooLong = "x".repeat(slabByteSize());
    MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
    assertWrongThread(other, "string", arena -> arena.allocateFrom("text"));
    assertWrongThread(other, "long string", arena -> arena.allocateFrom(tooLong));
    assertWrongThread(other, "byte", arena -> arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1));
    assertWrongThread(other, "char", arena -> arena.allocateFrom(ValueLayout.JAVA_CHAR, 'c'));
    assertWrongThread(
        other, "short", arena -> arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 1));
    assertWrongThread(other, "int", arena -> arena.allocateFrom(ValueLayout.JAVA_INT, 1));
    assertWrongThread(other, "float", arena -> arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1));
    assertWrongThread(other, "long", arena -> arena.allocateFrom(ValueLayout.JAVA_LONG, 1));
    assertWrongThread(other, "double", arena -> arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1));
    assertWrongThread(
        other, "address", arena -> arena.allocateFrom(ValueLayout.ADDRESS, MemorySegment.NULL));
    assertWrongThread(other, "ints", arena -> arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2));
    assertWrongThread(
        other,
        "bytes",
        arena -> arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes, ValueLayout.JAVA_BYTE, 0, 8));
  }

  @ParameterizedTest
  @EnumSource
  void otherThreadsCannotClose(ThreadKind other) {
    assertWrongThread(other, "close", ConfinementTest::close);
  }

  @ParameterizedTest
  @EnumSource
  void otherThreadsCannotAttachSegments(ThreadKind other) {
    assertWrongThread(
        other, "reinterpret", arena -> MemorySegment.NULL.reinterpret(1, arena, null));
    assertWrongThread(
        other, "with cleanup", arena -> MemorySegment.NULL.reinterpret(1, arena, _ -> {}));
  }

  @ParameterizedTest
  @EnumSource
  void otherThreadsCannotAccessMemory(ThreadKind other) throws Exception {
    try (Arena arena = open()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_LONG, 42);
      assertWrongThread(other, () -> memory.get(ValueLayout.JAVA_LONG, 0));
      assertWrongThread(other, () -> memory.fill((byte) 1));
      assertWrongThread(other, () -> memory.asByteBuffer().get());
      assertWrongThread(other, () -> memory.toArray(ValueLayout.JAVA_BYTE));
      assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    }
  }

  @ParameterizedTest
  @EnumSource
  void misuseIsFoundBeforeTheWrongThread(ThreadKind other) {
    assertSameAsJdk("size", arena -> other.call(() -> arena.allocate(-1)));
    assertSameAsJdk("alignment", arena -> other.call(() -> arena.allocate(8, 3)));
    assertSameAsJdk("no room", arena -> other.call(() -> arena.allocate(Long.MAX_VALUE)));
    assertSameAsJdk("null", arena -> other.call(() -> arena.allocateFrom((String) null)));
    assertSameAsJdk(
        "closed",
        arena -> {
          arena.close();
          return other.call(() -> arena.allocate(8));
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatAnybodyMayAskIsAnsweredToOtherThreads(ThreadKind other) throws Exception {
    try (Arena arena = open()) {
      MemorySegment memory = arena.allocate(8);
      assertThat(other.call(() -> arena.scope().isAlive())).isTrue();
      assertThat(other.call(() -> memory.isAccessibleBy(Thread.currentThread()))).isFalse();
      assertThat(memory.isAccessibleBy(Thread.currentThread())).isTrue();
      assertThat(other.call(memory::byteSize)).isEqualTo(8);
    }
  }

  @Test
  void eachThreadUsesArenasOfItsOwnMeanwhile() throws Exception {
    try (Arena arena = open()) {
      MemorySegment mine = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
      long theirs =
          ThreadKind.PLATFORM.call(
              () -> {
                try (Arena own = open()) {
                  return own.allocateFrom(ValueLayout.JAVA_LONG, 2).address();
                }
              });
      if (isPooled()) {
        assertThat(theirs).isNotEqualTo(mine.address());
      }
      assertThat(mine.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(1);
    }
  }

  @Test
  void misuseByAnotherThreadMeanwhileChangesNothing() throws Exception {
    AtomicReference<Arena> target = new AtomicReference<>(open());
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Integer> misuse = new FutureTask<>(() -> misuse(target::get, done::get));
    Thread other = Thread.ofPlatform().start(misuse);
    try {
      for (int i = 0; i < 2_000; i++) {
        Arena arena = target.get();
        for (int word = 1; word <= 4; word++) {
          MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_LONG, word);
          assertZero(arena.allocate(word * 5L));
          assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(word);
        }
        assertThat(owned()).as("in arena %s", i).isGreaterThanOrEqualTo(ownedBy(1));
        arena.close();
        assertThat(owned()).as("after arena %s", i).isZero();
        target.set(open());
      }
      target.get().close();
    } finally {
      done.set(true);
      other.join();
    }
    assertThat(misuse.get()).as("times that the other thread tried").isPositive();
  }

  /** Closes, and allocates from, whatever arena is the target, until done. */
  private static int misuse(Supplier<Arena> target, BooleanSupplier done) {
    int tries = 0;
    do {
      Arena arena = target.get();
      assertThat(Outcome.of(() -> close(arena))).isEqualTo(WRONG_THREAD);
      assertThat(Outcome.of(() -> arena.allocate(8))).isEqualTo(WRONG_THREAD);
      assertThat(Outcome.of(() -> arena.allocate(8, 64))).isEqualTo(WRONG_THREAD);
      tries++;
    } while (!done.getAsBoolean());
    return tries;
  }

  private static String close(Arena arena) {
    arena.close();
    return "closed";
  }

  /** Tries {@code use} on another thread, on an arena with memory and on one without. */
  private void assertWrongThread(ThreadKind other, String what, Use use) {
    for (boolean withMemory : new boolean[] {true, false}) {
      try (Arena arena = open()) {
        byte[] before = new byte[withMemory ? 16 : 0];
        MemorySegment memory = withMemory ? arena.allocate(16) : MemorySegment.NULL;
        new Random(what.hashCode()).nextBytes(before);
        memory.copyFrom(MemorySegment.ofArray(before));
        int ownedBefore = owned();

        assertWrongThread(other, () -> use.of(arena));

        assertThat(owned()).as("slabs owned after %s", what).isEqualTo(ownedBefore);
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE))
            .as("memory after %s", what)
            .isEqualTo(before);
        assertThat(takeRoomLeft(arena))
            .as("bytes left in the slab after %s", what)
            .isIn(roomLeft(runByteSize(), before), roomLeft(runByteSizeElsewhere(), before));
      } catch (Exception failure) {
        throw new AssertionError(what, failure);
      }
    }
  }

  private int roomLeft(int byteSize, byte[] taken) {
    return isPooled() ? byteSize - taken.length : 16;
  }

  private static void assertWrongThread(ThreadKind other, Outcome.Action action) throws Exception {
    assertThat(other.call(() -> Outcome.of(action))).isEqualTo(WRONG_THREAD);
  }
}
