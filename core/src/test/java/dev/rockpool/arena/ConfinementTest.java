package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only its own thread may use an arena; whatever others try throws and changes nothing. */
@SuppressWarnings("restricted")
@Tag("jdk")
class ConfinementTest extends ArenaContract {
  private static final String WRONG_THREAD =
      "throws java.lang.WrongThreadException: Attempted access outside owning thread";

  @ParameterizedTest
  @EnumSource
  void otherThreadsCannotUseAnArena(ThreadKind other) throws Exception {
    for (Use use : uses().values()) {
      assertWrongThread(other, use);
    }
    assertWrongThread(other, ArenaContract::close);
    assertWrongThread(other, arena -> MemorySegment.NULL.reinterpret(1, arena, null));
    assertWrongThread(other, arena -> MemorySegment.NULL.reinterpret(1, arena, _ -> {}));
    assertWrongThread(other, arena -> arena.allocate(blockByteSize()));
  }

  /** Tries {@code use} on another thread, on an arena with memory and on one without. */
  private void assertWrongThread(ThreadKind other, Use use) throws Exception {
    try (Arena arena = open();
        Arena unused = open()) {
      MemorySegment memory = allocateFilled(arena, 16, 3);
      long allocated = blocksAllocated();
      assertThat(other.call(() -> Outcome.of(() -> use.of(arena)))).isEqualTo(WRONG_THREAD);
      assertThat(other.call(() -> Outcome.of(() -> use.of(unused)))).isEqualTo(WRONG_THREAD);
      assertThat(blocksAllocated()).isEqualTo(allocated);
      assertFilled(memory, 3);
      assertNothingTakenSince(memory, arena);
      assertZero(unused.allocate(16));
    }
  }

  @ParameterizedTest
  @EnumSource
  void misuseIsFoundBeforeTheWrongThread(ThreadKind other) {
    assertEachSameAsJdk(
        "misuse",
        arena -> other.call(() -> arena.allocate(-1)),
        arena -> other.call(() -> arena.allocate(8, 3)),
        arena -> other.call(() -> arena.allocate(Long.MAX_VALUE)),
        arena -> other.call(() -> arena.allocateFrom((String) null)),
        arena -> close(arena) + other.call(() -> arena.allocate(8)));
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
        arena.close();
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
      assertThat(Outcome.of(() -> arena.allocate(5000, 64))).isEqualTo(WRONG_THREAD);
      tries++;
    } while (!done.getAsBoolean());
    return tries;
  }
}
