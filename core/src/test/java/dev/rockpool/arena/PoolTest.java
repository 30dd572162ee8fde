package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that share an element of the cache never share a slab. */
class PoolTest {
  private static final int SLAB = 64;

  private final Pool pool = Pool.of(SLAB, 2, 0);
  private final int slots = pool.byThreadId().length;
  private final List<ExecutorService> executors = new ArrayList<>();

  @AfterEach
  void endThreadsAndCheck() {
    executors.forEach(ExecutorService::close);
    pool.registry().checkInvariants();
    pool.registry().freeAll();
  }

  /** A thread whose id is {@code slot} modulo the length of the cache. */
  private ExecutorService threadInSlot(int slot) {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              // Threads that are never started use up an id each.
              Thread thread = new Thread(task);
              while (slotOf(thread) != slot) {
                thread = new Thread(task);
              }
              return thread;
            });
    executors.add(executor);
    return executor;
  }

  private int slotOf(Thread thread) {
    return (int) (thread.threadId() % slots);
  }

  private <T> T on(ExecutorService thread, Callable<T> task) throws Exception {
    return thread.submit(task).get();
  }

  /** Opens an arena with a whole slab full of {@code mark}, and leaves it open. */
  private Held hold(byte mark) {
    Arena arena = pool.open();
    MemorySegment memory = arena.allocate(SLAB);
    assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    return new Held(arena, memory.fill(mark));
  }

  private record Held(Arena arena, MemorySegment memory) {
    long address() {
      return memory.address();
    }

    Void close(byte mark) {
      assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(mark);
      arena.close();
      return null;
    }
  }

  @Test
  void threadsInOneSlotTakeTurnsWithoutSharingSlabs() throws Exception {
    List<ExecutorService> threads =
        List.of(threadInSlot(17), threadInSlot(17), threadInSlot(17), threadInSlot(17));
    List<Held> outer = new ArrayList<>();
    List<Held> inner = new ArrayList<>();
    Set<Integer> slotsUsed = new HashSet<>();
    // Twice round, so that each comes back to a slot that others took meanwhile.
    for (int i = 0; i < threads.size(); i++) {
      byte mark = (byte) (i + 1);
      outer.add(on(threads.get(i), () -> hold(mark)));
      slotsUsed.add(on(threads.get(i), () -> slotOf(Thread.currentThread())));
    }
    for (int i = 0; i < threads.size(); i++) {
      byte mark = (byte) (i + 11);
      inner.add(on(threads.get(i), () -> hold(mark)));
    }
    assertThat(slotsUsed).as("the threads collide").containsExactly(17);
    assertThat(pool.registry().threads()).isEqualTo(threads.size());
    assertThat(pool.registry().owned()).isEqualTo(2 * threads.size());
    for (int i = 0; i < threads.size(); i++) {
      assertThat(inner.get(i).address()).isEqualTo(outer.get(i).address() + SLAB);
      Held first = outer.get(i);
      Held second = inner.get(i);
      byte mark = (byte) (i + 1);
      on(threads.get(i), () -> first.close(mark));
      on(threads.get(i), () -> second.close((byte) (mark + 10)));
    }
    assertThat(pool.registry().owned()).isZero();
  }

  @Test
  void threadFindsItsOwnSlabsAgainAfterAnotherTookItsSlot() throws Exception {
    ExecutorService one = threadInSlot(5);
    ExecutorService other = threadInSlot(5);
    Callable<ThreadSlabs> slabs = () -> pool.slabsOf(Thread.currentThread());
    ThreadSlabs ofOne = on(one, slabs);
    assertThat(pool.byThreadId()[5]).isSameAs(ofOne);
    ThreadSlabs ofOther = on(other, slabs);
    assertThat(pool.byThreadId()[5]).isSameAs(ofOther).isNotSameAs(ofOne);
    assertThat(on(one, slabs)).isSameAs(ofOne);
    assertThat(pool.byThreadId()[5]).isSameAs(ofOne);
    assertThat(on(other, slabs)).isSameAs(ofOther);
  }

  @Test
  void whatAnEndedThreadLeftInTheSlotIsNotTakenForOnesOwn() throws Exception {
    ExecutorService ended = threadInSlot(9);
    Held lost = on(ended, () -> hold((byte) 3));
    Thread thread = on(ended, Thread::currentThread);
    ended.close();
    thread.join(); // an executor is closed a moment before its thread has ended
    ExecutorService next = threadInSlot(9);
    Held held = on(next, () -> hold((byte) 4));
    assertThat(held.address()).as("the other slab").isEqualTo(lost.address() + SLAB);
    assertThat(LibC.peek(lost.address(), SLAB)).containsOnly(3);
    on(next, () -> held.close((byte) 4));
    assertThat(pool.registry().owned()).isEqualTo(1);
  }

  @Test
  void eachThreadHasTheSlotOfItsId() throws Exception {
    for (int slot : new int[] {0, 1, slots - 1}) {
      ExecutorService thread = threadInSlot(slot);
      ThreadSlabs slabs = on(thread, () -> pool.slabsOf(Thread.currentThread()));
      assertThat(pool.byThreadId()[slot]).isSameAs(slabs);
    }
    assertThat(slots).as("a power of two, as slots are found by mask").isEqualTo(1024);
  }

  @Test
  void virtualThreadsHaveTheSlabsOfTheirCarrierIfItCanBeReached() throws Exception {
    ThreadKind.VIRTUAL.call(
        () -> {
          ThreadSlabs slabs = pool.slabsOf(Thread.currentThread());
          if (Carrier.isReachable()) {
            assertThat(slabs.threadId).isEqualTo(Carrier.current().threadId());
          } else {
            assertThat(slabs).isNull();
          }
          assertThat(pool.cachedSlabsOf(Thread.currentThread().threadId())).isNull();
          return null;
        });
    assertThat(pool.registry().threads()).isEqualTo(Carrier.isReachable() ? 1 : 0);
  }

  @Test
  void tableThatIsOffOpensArenasOfTheJdk() {
    for (Pool off : List.of(Pool.of(0, 7, 0), Pool.of(512, 0, 0), Pool.of(0, 0, 0))) {
      assertThat(off.slabByteSize()).isZero();
      try (Arena arena = off.open();
          Arena jdk = Arena.ofConfined()) {
        arena.allocate(8);
        assertThat(arena).hasSameClassAs(jdk);
      }
      assertThat(off.registry().threads()).isZero();
    }
  }

  /** Abandoned, they would be handed out once more a second later, or freed under their owner. */
  @Test
  void slabsThatSomebodyElseReleasedAreNotAbandoned() {
    Pool misused = Pool.of(512, 7, 16);
    Arena onRun = misused.open();
    onRun.allocate(8);
    ThreadSlabs slabs = misused.slabsOf(Thread.currentThread());
    slabs.release(ThreadSlabs.Run.of(0, 1), 1);
    assertThatThrownBy(onRun::close).hasMessageStartingWith("Slabs must be released once");
    assertThat(slabs.abandonedBy).containsOnlyNulls();

    Arena onLarger = misused.open();
    onLarger.allocate(4096);
    SharedSlabs larger = misused.larger();
    for (int slot = 0; slot < larger.slots(); slot++) {
      if (larger.lines()[slot * SharedSlabs.LINE + SharedSlabs.CLAIM] != 0) {
        larger.release(slot, 1);
      }
    }
    assertThatThrownBy(onLarger::close).hasMessageStartingWith("A slot must be released once");
    assertThat(larger.owned()).isZero();
    assertThat(larger.abandonedBy()).containsOnlyNulls();
  }
}
