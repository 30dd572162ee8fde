package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arenas whose allocations count: what they promise stays, what does not fit is refused. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // No interrupt ends a wait.
class CountedArenaTest {
  private final DirectMemory memory = DirectMemory.ofLimit(10_000);

  private static List<Named<Function<DirectMemory, Arena>>> closable() {
    return List.of(
        Named.of("confined", DirectMemory::ofConfined), Named.of("shared", DirectMemory::ofShared));
  }

  private static List<Named<Function<DirectMemory, Arena>>> all() {
    List<Named<Function<DirectMemory, Arena>>> all = new ArrayList<>(closable());
    all.add(Named.of("auto", DirectMemory::ofAuto));
    return all;
  }

  @ParameterizedTest
  @MethodSource("all")
  void allocationsAreZeroedAlignedAndCounted(Function<DirectMemory, Arena> kind) {
    Arena arena = kind.apply(memory);
    MemorySegment one = arena.allocate(100);
    MemorySegment two = arena.allocate(200, 256);
    assertThat(memory.reserved()).isEqualTo(100 + 200 + 256 - 16);
    assertThat(two.address() % 256).isZero();
    assertThat(one.mismatch(MemorySegment.ofArray(new byte[100]))).isEqualTo(-1);
    assertThat(one.scope()).isEqualTo(arena.scope()).isEqualTo(two.scope());
    assertThat(arena.allocateFrom("hello").getString(0)).isEqualTo("hello");
  }

  @ParameterizedTest
  @MethodSource("closable")
  void closeCreditsAndEndsAccess(Function<DirectMemory, Arena> kind) {
    Arena arena = kind.apply(memory);
    MemorySegment segment = arena.allocate(6000);
    assertThatThrownBy(() -> kind.apply(memory).allocate(4001))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("asked for 4001 bytes, reserved 6000, limit 10000");
    arena.close();
    assertThat(memory.reserved()).isZero();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(IllegalStateException.class);
    assertThat(memory.reserved()).isZero();
  }

  @ParameterizedTest
  @MethodSource("closable")
  void badArgumentsAndFailuresOfTheSystemReserveNothing(Function<DirectMemory, Arena> kind) {
    DirectMemory large = DirectMemory.ofLimit(Long.MAX_VALUE);
    try (Arena arena = kind.apply(large)) {
      assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(1, 3)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(Long.MAX_VALUE / 2))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(large.reserved()).isZero();
      assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
    }
    assertThat(large.reserved()).isZero();
  }

  @Test
  @SuppressWarnings("restricted")
  void closeCreditsAlsoWhenACleanupActionThrows() {
    Arena arena = memory.ofShared();
    MemorySegment segment = arena.allocate(100);
    MemorySegment.ofAddress(segment.address())
        .reinterpret(
            1,
            arena,
            closed -> {
              throw new UnsupportedOperationException("on purpose");
            });
    assertThatThrownBy(arena::close).isInstanceOf(UnsupportedOperationException.class);
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void confinedArenaIsItsOwnersAlone() throws Exception {
    try (Arena arena = memory.ofConfined()) {
      arena.allocate(100);
      Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    thrown.add(catchThrown(() -> arena.allocate(20_000)));
                    thrown.add(catchThrown(arena::close));
                  });
      other.join();
      assertThat(thrown).hasOnlyElementsOfType(WrongThreadException.class).hasSize(2);
      assertThat(memory.reserved()).isEqualTo(100);
    }
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void sharedArenaCountsWhicheverThreadUsesAndClosesIt() throws Exception {
    Arena arena = memory.ofShared();
    arena.allocate(100);
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    Thread user =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    arena.allocate(2000).fill((byte) 1);
                    arena.allocate(10_000);
                  } catch (OutOfMemoryError refused) {
                    thrown.add(refused);
                  }
                });
    user.join();
    assertThat(thrown).hasSize(1);
    assertThat(memory.reserved()).isEqualTo(2100);

    Thread.ofPlatform().start(arena::close).join();

    assertThat(arena.scope().isAlive()).isFalse();
    assertThat(memory.reserved()).isZero();
  }

  private static Throwable catchThrown(Runnable action) {
    try {
      action.run();
      return new AssertionError("nothing thrown");
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }

  /** Whatever allocation comes too late has reserved nothing, whatever came in time is credited. */
  @Test
  void sharedArenaClosedAmidAllocationsCreditsExactly() throws Exception {
    for (int round = 0; round < 300; round++) {
      Arena arena = memory.ofShared();
      CyclicBarrier start = new CyclicBarrier(3);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        start.await();
                        for (int n = 0; n < 50; n++) {
                          arena.allocate(17);
                        }
                      } catch (IllegalStateException closed) {
                        return;
                      } catch (Exception failure) {
                        throw new AssertionError(failure);
                      }
                    }));
      }
      start.await();
      arena.close();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(memory.reserved()).isZero();
    }
  }

  /** It is served later, and gives the bytes back, because no close will. */
  @Test
  void whoWaitsForASharedArenaThatIsClosedMeanwhileReservesNothing() throws Exception {
    Arena holder = memory.ofShared();
    holder.allocate(6000);
    Arena closed = memory.ofShared();
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    try (PausedReclaimer _ = new PausedReclaimer()) {
      Thread waiter =
          Thread.ofPlatform().start(() -> thrown.add(catchThrown(() -> closed.allocate(5000))));
      while (memory.budget().waiters().length() == 0) {
        Thread.onSpinWait();
      }
      closed.close();
      holder.close();
      waiter.join();
    }
    assertThat(thrown).hasOnlyElementsOfType(IllegalStateException.class).hasSize(1);
    assertThat(memory.budget().waiters().length()).isZero();
    assertThat(memory.reserved()).isZero();
  }

  /** The JDK's cleaner frees it, and whoever waits for that memory gets it. */
  @Test
  void whoWaitsForTheMemoryOfDroppedAutomaticArenasGetsIt() {
    for (int i = 0; i < 40; i++) {
      assertThat(memory.ofAuto().allocate(5000).byteSize()).isEqualTo(5000);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void badRequestIsRefusedAsByTheJdk(Function<DirectMemory, Arena> kind) {
    Arena arena = kind.apply(memory);
    for (long[] request : new long[][] {{-1, 1}, {8, 3}, {8, 0}}) {
      Throwable jdks = catchThrown(() -> Arena.ofAuto().allocate(request[0], request[1]));
      assertThatThrownBy(() -> arena.allocate(request[0], request[1]))
          .hasSameClassAs(jdks)
          .hasMessage(jdks.getMessage());
    }
  }

  @Test
  void automaticArenaIsNotClosedAndFreedWhenNothingReachesIt() {
    Arena arena = memory.ofAuto();
    assertThatThrownBy(arena::close).isInstanceOf(UnsupportedOperationException.class);
    MemorySegment segment = arena.allocate(5000);
    segment.set(ValueLayout.JAVA_BYTE, 4999, (byte) 1);
    assertThat(memory.reserved()).isEqualTo(5000);
    for (int i = 0; i < 20; i++) {
      memory.ofAuto().allocate(1000);
    }
    assertThat(segment.get(ValueLayout.JAVA_BYTE, 4999)).isEqualTo((byte) 1);
    segment = null;
    arena = null;
    Collected.await("automatic arenas", () -> memory.reserved() == 0);
  }
}
