package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arenas that the linker gets, opened as it opens them. */
class CallArenasTest {
  private static final int SLABS = 63;
  private static final int LONGEST_RUN = 32 * 64;
  private static final int LARGER = Pool.LARGER_BYTE_SIZE;

  @AfterEach
  void nothingIsLost() {
    assertThat(CallArenas.POOL.owned()).isZero();
    CallArenas.POOL.checkInvariants();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 63, 64, 65, 128, 500, LONGEST_RUN, LONGEST_RUN + 1, LARGER})
  void allThatWasSaidIsHandedOutZeroedAndTakenBackZeroed(int byteSize) {
    for (int round = 0; round < 3; round++) {
      try (Arena arena = CallArenas.open(byteSize)) {
        MemorySegment all = arena.allocate(byteSize, 16);
        assertThat(all.toArray(JAVA_BYTE)).containsOnly(new byte[Math.min(byteSize, 1)]);
        assertThat(all.byteSize()).isEqualTo(byteSize);
        all.fill((byte) 0x5a);
      }
      CallArenas.POOL.checkInvariants();
    }
  }

  @Test
  void severalPiecesEachOnItsAlignment() {
    try (Arena arena = CallArenas.open(160)) {
      MemorySegment first = arena.allocate(3, 1);
      MemorySegment second = arena.allocate(8, 8);
      MemorySegment third = arena.allocate(16, 64);
      assertThat(second.address() % 8).isZero();
      assertThat(second.address() - first.address()).isEqualTo(8);
      assertThat(third.address() % 64).isZero();
      assertThat(third.address() - first.address()).isEqualTo(64);
      assertThat(arena.allocate(1, 1).address() - first.address()).isEqualTo(80);
    }
  }

  /** The linker says how much it needs; if it needs more after all it gets it. */
  @Test
  void moreThanWasSaidGoesTheRegularWay() {
    try (Arena arena = CallArenas.open(16)) {
      MemorySegment slab = arena.allocate(16, 8);
      MemorySegment more = arena.allocate(100, 8);
      MemorySegment wide = arena.allocate(16, 4096);
      assertThat(wide.address() % 4096).isZero();
      assertThat(more.toArray(JAVA_BYTE)).containsOnly(0);
      assertThat(Math.abs(more.address() - slab.address())).isGreaterThanOrEqualTo(48);
      assertThatThrownBy(() -> arena.allocate(-1, 8)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void tooLargeIsTheJdksBusiness() {
    assertThat(CallArenas.open(LARGER + 1)).isNull();
    assertThat(CallArenas.open(Long.MAX_VALUE)).isNull();
  }

  /** As many at once as there are slabs; then none, until one is closed. In any order. */
  @Test
  void nested() {
    List<Arena> open = new ArrayList<>();
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < SLABS; i++) {
      Arena arena = CallArenas.open(64);
      addresses.add(arena.allocate(64, 8).address());
      open.add(arena);
    }
    assertThat(addresses).doesNotHaveDuplicates();
    assertThat(CallArenas.open(8)).isNull();
    open.remove(7).close();
    Arena again = CallArenas.open(64);
    assertThat(again.allocate(64, 8).address()).isEqualTo(addresses.get(7));
    again.close();
    open.forEach(Arena::close);
  }

  @Test
  void segmentsEndWithTheCall() {
    MemorySegment leaked;
    try (Arena arena = CallArenas.open(16)) {
      leaked = arena.allocate(16, 8);
      assertThat(leaked.scope()).isEqualTo(arena.scope());
    }
    MemorySegment late = leaked;
    assertThatThrownBy(() -> late.get(JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  /** Opened on one carrier, closed on another, as when the program's allocator waits. */
  @Test
  void virtualThreadsThatMoveMeanwhile() throws Exception {
    AtomicInteger moved = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      threads.add(ThreadKind.VIRTUAL.start(() -> moveWhileOpen(moved)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    boolean canMove = Carrier.isReachable() && Runtime.getRuntime().availableProcessors() > 1;
    assertThat(moved.get() > 0).isEqualTo(canMove);
  }

  private static void moveWhileOpen(AtomicInteger moved) {
    for (int round = 0; round < 100; round++) {
      try (Arena arena = CallArenas.open(100)) {
        if (arena == null) {
          return; // the carrier can't be reached
        }
        Thread carrier = Carrier.current();
        arena.allocate(100, 8).fill((byte) 1);
        Thread.yield();
        moved.addAndGet(Carrier.current() == carrier ? 0 : 1);
      }
    }
  }

  @Test
  void memoryOfAThread() {
    assertThat(ThreadSlabs.byteSize(64, SLABS)).isLessThanOrEqualTo(4096);
  }

  @Test
  void slabsThatSomebodyElseReleasedAreNotAbandoned() {
    Arena arena = CallArenas.open(16);
    ThreadSlabs slabs = CallArenas.POOL.slabsOf(Thread.currentThread());
    slabs.release(ThreadSlabs.Run.of(0, 1), 1);

    assertThatThrownBy(arena::close).hasMessageStartingWith("Slabs must be released once");
    assertThat(slabs.abandonedBy).containsOnlyNulls();
  }

  @Test
  void largerSlabsThatSomebodyElseReleasedAreNotAbandoned() {
    Arena arena = CallArenas.open(LARGER);
    SharedSlabs larger = CallArenas.POOL.larger();
    for (int slot = 0; slot < larger.slots(); slot++) {
      if (larger.lines()[slot * SharedSlabs.LINE + SharedSlabs.CLAIM] != 0) {
        larger.release(slot, 1);
      }
    }

    assertThatThrownBy(arena::close).hasMessageStartingWith("A slot must be released once");
    assertThat(larger.abandonedBy()).containsOnlyNulls();
  }
}
