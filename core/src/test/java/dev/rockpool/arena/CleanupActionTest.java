package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Cleanup actions, which an arena runs while it is closed: they see the memory as it was, may
 * throw, and may misuse the arena; the slab is given back after them, once.
 */
@SuppressWarnings("restricted")
class CleanupActionTest extends ArenaContract {
  @Test
  void actionsStillReadWhatWasWritten() {
    byte[][] read = new byte[2][];
    Arena arena = open();
    // Before the memory is allocated: the JDK runs the action that came first before it frees.
    long[] address = new long[1];
    onClose(arena, _ -> read[0] = LibC.peek(address[0], 20));
    MemorySegment memory = arena.allocate(20).fill((byte) 8);
    address[0] = memory.address();
    memory.reinterpret(arena, segment -> read[1] = segment.toArray(ValueLayout.JAVA_BYTE));
    arena.close();
    assertThat(read[0]).as("by the address").hasSize(20).containsOnly(8);
    assertThat(read[1]).as("by the segment given").hasSize(20).containsOnly(8);
  }

  @Test
  void slabIsGivenBackAfterTheActions() {
    List<Integer> ownedInAction = new ArrayList<>();
    Arena arena = open();
    onClose(
        arena,
        _ -> {
          try (Arena inner = open()) {
            assertUsable(inner);
            ownedInAction.add(owned());
          }
        });
    arena.allocate(20).fill((byte) -1);
    arena.close();
    assertThat(ownedInAction).containsExactly(ownedBy(2));
    assertThat(owned()).isZero();
  }

  @Test
  void slabIsGivenBackAlthoughAnActionThrows() {
    assertSameAsJdk(
        "one",
        arena -> {
          onClose(arena, _ -> fail("first"));
          return useAndClose(arena);
        });
    assertSlabIsBack();
  }

  @Test
  void slabIsGivenBackAlthoughSeveralActionsThrow() {
    assertSameAsJdkInNewArena(
        "three",
        arena -> {
          onClose(arena, _ -> fail("first"));
          onClose(arena, _ -> fail("second"));
          onClose(arena, _ -> {});
          onClose(arena, _ -> fail("third"));
          return useAndClose(arena);
        });
    assertSlabIsBack();
  }

  /**
   * Nothing says in which order actions run, and memory that the JDK allocated changes it: it runs
   * the very first thing it has to clean up, memory or action, before all others.
   */
  @Test
  void slabIsGivenBackInWhateverOrderSeveralActionsThrow() {
    Arena arena = open();
    arena.allocate(8);
    onClose(arena, _ -> fail("first"));
    onClose(arena, _ -> fail("second"));
    onClose(arena, _ -> fail("third"));
    Throwable thrown = catchThrowable(() -> useAndClose(arena));
    assertThat(Stream.concat(Stream.of(thrown), Stream.of(thrown.getSuppressed())))
        .extracting(Throwable::getMessage)
        .containsExactlyInAnyOrder("first", "second", "third");
    assertSlabIsBack();
  }

  @Test
  void slabIsGivenBackAlthoughOneExceptionIsThrownTwice() {
    IllegalStateException same = new IllegalStateException("same");
    Consumer<MemorySegment> action =
        _ -> {
          throw same;
        };
    assertSameAsJdk(
        "twice the same",
        arena -> {
          onClose(arena, action);
          onClose(arena, action);
          return useAndClose(arena);
        });
    assertSlabIsBack();
  }

  @Test
  void slabIsGivenBackAlthoughAnActionThrowsAnError() {
    assertSameAsJdk(
        "error",
        arena -> {
          arena.allocate(8);
          onClose(
              arena,
              _ -> {
                throw new LinkageError("broken");
              });
          return useAndClose(arena);
        });
    assertSlabIsBack();
  }

  @Test
  void closingAgainAfterAnActionThrewGivesNothingBackTwice() {
    Arena arena = open();
    onClose(arena, _ -> fail("first"));
    assertThat(Outcome.of(() -> useAndClose(arena))).contains("first");
    try (Arena next = open()) {
      MemorySegment memory = next.allocate(16).fill((byte) 4);
      assertThat(Outcome.of(() -> useAndClose(arena))).contains("Already closed");
      assertThat(owned()).isEqualTo(ownedBy(1));
      assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x0404040404040404L);
    }
  }

  @Test
  void closingInAnActionThrowsAndGivesNothingBackTwice() {
    assertSameAsJdk(
        "close",
        arena -> {
          List<String> outcomes = new ArrayList<>();
          onClose(arena, _ -> outcomes.add(Outcome.of(() -> useAndClose(arena))));
          onClose(arena, _ -> outcomes.add(Outcome.of(() -> close(arena))));
          return useAndClose(arena) + outcomes;
        });
    assertSlabIsBack();
  }

  @Test
  void anActionThatDoesNotCatchWhatClosingThrowsIsLikeAnyThatThrows() {
    assertSameAsJdkInNewArena(
        "close",
        arena -> {
          onClose(arena, _ -> arena.close());
          onClose(arena, _ -> fail("second"));
          return useAndClose(arena);
        });
    assertSlabIsBack();
  }

  @Test
  void allocatingInAnActionThrowsAndTakesNothing() {
    for (boolean beforeUse : new boolean[] {true, false}) {
      assertSameAsJdk(
          "before use: " + beforeUse,
          arena -> {
            List<String> outcomes = new ArrayList<>();
            onClose(arena, _ -> outcomes.add(Outcome.of(() -> arena.allocate(8))));
            onClose(arena, _ -> outcomes.add(Outcome.of(() -> arena.allocate(8, 64))));
            onClose(arena, _ -> outcomes.add(Outcome.of(() -> arena.allocateFrom("text"))));
            onClose(arena, _ -> outcomes.add(Outcome.of(() -> arena.allocate(1 << 20))));
            return (beforeUse ? close(arena) : useAndClose(arena)) + outcomes;
          });
      assertSlabIsBack();
    }
  }

  @Test
  void segmentsAreClosedInActions() {
    assertSameAsJdk(
        "get",
        arena -> {
          List<String> outcomes = new ArrayList<>();
          MemorySegment[] memory = new MemorySegment[1];
          onClose(
              arena, _ -> outcomes.add(Outcome.of(() -> memory[0].get(ValueLayout.JAVA_BYTE, 0))));
          memory[0] = arena.allocate(8);
          return close(arena) + outcomes;
        });
  }

  @Test
  void actionsAreNotRunWhenClosingIsRefused() throws Exception {
    List<String> ran = new ArrayList<>();
    try (Arena arena = open()) {
      onClose(arena, _ -> ran.add("action"));
      arena.allocate(8);
      for (ThreadKind other : ThreadKind.values()) {
        assertThat(other.call(() -> Outcome.of(() -> close(arena)))).contains("WrongThread");
      }
      assertThat(ran).isEmpty();
    }
    assertThat(ran).containsExactly("action");
  }

  private void assertSlabIsBack() {
    assertThat(owned()).isZero();
    try (Arena arena = open()) {
      assertZero(arena.allocate(slabByteSize()));
      assertThat(owned()).isEqualTo(ownedBy(1));
    }
  }

  private static void onClose(Arena arena, Consumer<MemorySegment> action) {
    MemorySegment _ = MemorySegment.NULL.reinterpret(arena, action);
  }

  private static String useAndClose(Arena arena) {
    arena.allocate(40).fill((byte) -1);
    return close(arena);
  }

  private static String close(Arena arena) {
    arena.close();
    return "closed";
  }

  /** Some languages do not check exceptions. */
  @Test
  void slabIsGivenBackAlthoughAnActionThrowsACheckedException() {
    Arena arena = open();
    onClose(arena, _ -> throwUnchecked(new IOException("checked")));
    arena.allocate(20).fill((byte) 7);
    assertThat(catchThrowable(arena::close)).isInstanceOf(IOException.class).hasMessage("checked");
    assertSlabIsBack();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void throwUnchecked(Throwable failure) throws T {
    throw (T) failure;
  }

  private static void fail(String message) {
    throw new IllegalArgumentException(message);
  }
}
