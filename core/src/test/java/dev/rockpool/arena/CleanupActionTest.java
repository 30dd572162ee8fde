package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Cleanup actions, which an arena runs while it is closed: they see the memory as it was, may
 * throw, and may misuse the arena; the block is given back after them, once.
 */
@SuppressWarnings("restricted")
@Tag("jdk")
class CleanupActionTest extends ArenaContract {
  /** Two arenas get memory of their own, all of it zero. */
  private void checkNextArenas() {
    try (Arena one = open();
        Arena other = open()) {
      MemorySegment memory = allocateFilled(one, blockByteSize(), 1);
      allocateFilled(other, blockByteSize(), 2);
      assertFilled(memory, 1);
    }
  }

  @Test
  void actionsReadWhatWasWrittenAndTheBlockIsGivenBackAfterThem() {
    List<byte[]> read = new ArrayList<>();
    Arena arena = open();
    // Before the memory is allocated: the JDK runs the action that came first before it frees.
    MemorySegment[] memory = new MemorySegment[1];
    onClose(
        arena,
        _ -> {
          try (Arena inner = open()) {
            allocateFilled(inner, blockByteSize(), 3);
          }
          MemorySegment byAddress = MemorySegment.ofAddress(memory[0].address()).reinterpret(20);
          read.add(byAddress.toArray(ValueLayout.JAVA_BYTE));
        });
    memory[0] = allocateFilled(arena, 20, 8);
    memory[0].reinterpret(arena, given -> read.add(given.toArray(ValueLayout.JAVA_BYTE)));
    arena.close();
    assertThat(read).hasSize(2).allSatisfy(bytes -> assertThat(bytes).hasSize(20).containsOnly(8));
    checkNextArenas();
  }

  @Test
  void exceptionsOfActionsAreThoseOfTheJdk() {
    IllegalStateException same = new IllegalStateException("same");
    assertEachSameAsJdk(
        "exception",
        arena -> onCloseThrow(arena, fail("first")),
        arena -> onCloseThrow(arena, same, same),
        arena -> onCloseThrow(arena, new LinkageError("broken")),
        arena -> onCloseThrow(arena, new IOException("checked")));
    assertSameAsJdkInNewArena(
        "three", arena -> onCloseThrow(arena, fail("first"), fail("second"), fail("third")));
    checkNextArenas();
  }

  /** Adds an action for each of {@code failures}, uses the arena beyond its block, and closes. */
  private Object onCloseThrow(Arena arena, Throwable... failures) {
    for (Throwable failure : failures) {
      onClose(arena, _ -> throwUnchecked(failure));
    }
    return useAndClose(arena);
  }

  private String useAndClose(Arena arena) {
    arena.allocate(40).fill((byte) -1);
    arena.allocate(blockByteSize()).fill((byte) -1);
    return close(arena);
  }

  private static IllegalArgumentException fail(String message) {
    return new IllegalArgumentException(message);
  }

  /** Some languages do not check exceptions. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void throwUnchecked(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Pooled arenas may run the first action first, see {@link Arenas#ofConfined()}. */
  @Test
  void actionsRunInTheJdksOrderUnlessPooled() {
    for (int byteSize : new int[] {1, 64, 65, 600, 9000}) {
      assertSameAsJdk(byteSize + " bytes before", arena -> orderOfActions(arena, byteSize, 0));
      assertSameAsJdk(byteSize + " bytes after", arena -> orderOfActions(arena, 0, byteSize));
    }
  }

  private List<String> orderOfActions(Arena arena, int before, int after) {
    List<String> ran = new ArrayList<>();
    if (before != 0) {
      allocateFilled(arena, before, 1);
    }
    for (String name : List.of("first", "second", "third")) {
      onClose(arena, _ -> ran.add(name));
    }
    allocateFilled(arena, after, 1);
    arena.close();
    return isPooled() ? ran.stream().sorted().toList() : ran;
  }

  @Test
  void closingAgainInOrAfterAnActionThrowsAndGivesNothingBackTwice() {
    assertSameAsJdk(
        "close",
        arena -> {
          List<String> outcomes = new ArrayList<>();
          onClose(arena, _ -> outcomes.add(Outcome.of(() -> useAndClose(arena))));
          onClose(arena, _ -> outcomes.add(Outcome.of(() -> close(arena))));
          return useAndClose(arena) + outcomes;
        });
    assertSameAsJdkInNewArena(
        "uncaught",
        arena -> {
          onClose(arena, _ -> arena.close());
          return onCloseThrow(arena, fail("second"));
        });
    Arena arena = open();
    assertThat(Outcome.of(() -> onCloseThrow(arena, fail("first")))).contains("first");
    assertThat(Outcome.of(() -> close(arena))).isEqualTo(CLOSED);
    checkNextArenas();
  }

  @Test
  void actionsCannotUseTheArenaAnyMore() {
    uses().forEach((what, use) -> assertSameAsJdk(what, arena -> useInAction(arena, use)));
    checkNextArenas();
  }

  private String useInAction(Arena arena, Use use) {
    List<String> outcomes = new ArrayList<>();
    onClose(arena, _ -> outcomes.add(Outcome.of(() -> use.of(arena))));
    return useAndClose(arena) + outcomes;
  }
}
