package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.arena.Collected;
import dev.rockpool.direct.WaitingLine.Waiter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The waiting threads: how long they wait, in which order, and at which cost. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // No interrupt ends a wait.
class WaitingLineTest {
  /** The names that the collectors of a JVM's own choice have for full collections. */
  private static final Set<String> FULL = Set.of("G1 Old Generation", "MarkSweepCompact");

  private final Budget budget = new Budget(100, "the test");

  private void reserve(long byteSize) {
    if (!budget.reservesNow(byteSize) && !budget.reservesInLine(new Waiter(byteSize))) {
      throw budget.refused(byteSize);
    }
  }

  /** A thread that reserves, and is in line when this returns. */
  private Thread inLine(long byteSize, Runnable then) {
    int before = budget.line().length();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  reserve(byteSize);
                  then.run();
                });
    while (budget.line().length() == before && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return thread;
  }

  /**
   * Each would fit what is left of the one before it: still they are served as they came. Each
   * gives its bytes back, so that the next one is served.
   */
  @Test
  void servesInTheOrderOfArrivalWhateverTheSize() throws Exception {
    reserve(100);
    List<Integer> served = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    int[] sizes = {90, 10, 80, 1, 100, 5};
    for (int size : sizes) {
      threads.add(inLine(size, () -> served.add(size)));
      // Keeps the first of them from giving up before all are in line.
      budget.credit(1);
      assertThat(budget.tryReserve(1)).isTrue();
    }
    budget.credit(100);
    threads.get(0).join();
    threads.get(1).join();
    assertThat(served).containsExactlyInAnyOrder(90, 10);
    assertThat(budget.line().length()).isEqualTo(4);
    budget.credit(100);
    threads.get(2).join();
    threads.get(3).join();
    assertThat(served.subList(2, 4)).containsExactlyInAnyOrder(80, 1);
    budget.credit(81);
    threads.get(4).join();
    assertThat(served.get(4)).isEqualTo(100);
    budget.credit(100);
    threads.get(5).join();
    assertThat(budget.reserved()).isEqualTo(5);
    assertThat(budget.line().length()).isZero();
  }

  /** The second one sleeps: the first one acts for both. */
  @Test
  void programsDoNotReachTheMonitorOfTheLine() throws Exception {
    reserve(100);
    Thread first = inLine(1, () -> {});
    Thread second = inLine(1, () -> {});
    while (second.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    Object shown = LockSupport.getBlocker(second);
    budget.credit(100);
    first.join();
    second.join();
    assertThat(shown).isNull();
  }

  /** Small requests come and go all the time; a large one among them is served, too. */
  @Test
  void largeRequestIsNotStarvedBySmallOnes() throws Exception {
    AtomicReference<Boolean> goOn = new AtomicReference<>(true);
    List<Thread> small = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      small.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (goOn.get()) {
                      reserve(30);
                      Thread.yield();
                      budget.credit(30);
                    }
                  }));
    }
    for (int i = 0; i < 50; i++) {
      reserve(100);
      budget.credit(100);
    }
    goOn.set(false);
    for (Thread thread : small) {
      thread.join();
    }
    assertThat(budget.reserved()).isZero();
  }

  @Test
  void memoryThatIsCreditedMeanwhileIsHandedOver() throws Exception {
    reserve(100);
    Thread waiter = inLine(60, () -> {});
    budget.credit(50);
    budget.credit(10);
    waiter.join();
    assertThat(budget.reserved()).isEqualTo(100);
  }

  @Test
  void interruptDoesNotEndTheWaitAndIsKept() throws Exception {
    reserve(100);
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    Thread waiter = inLine(60, () -> interrupted.set(Thread.currentThread().isInterrupted()));
    waiter.interrupt();
    budget.credit(60);
    waiter.join();
    assertThat(interrupted).hasValue(true);
    assertThat(budget.reserved()).isEqualTo(100);
  }

  @Test
  void interruptIsKeptAlsoWhenTheWaitIsInVain() {
    reserve(100);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> reserve(1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(budget.line().length()).isZero();
    assertThat(budget.reserved()).isEqualTo(100);
  }

  @Test
  void whoGivesUpLetsTheNextOneIn() throws Exception {
    reserve(50);
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    Thread large =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    reserve(60);
                  } catch (OutOfMemoryError expected) {
                    refusal.set(expected);
                  }
                });
    while (budget.line().length() == 0) {
      Thread.onSpinWait();
    }
    reserve(50);
    large.join();
    assertThat(refusal.get()).isNotNull();
    assertThat(budget.reserved()).isEqualTo(100);
  }

  /** The first in line does not run; the second acts for both, and there is enough for it. */
  @Test
  void whoActsForAllLetsThoseThatFitPass() {
    reserve(50);
    Waiter large = new Waiter(60);
    budget.line().enter(large);
    reserve(50);
    assertThat(large.served).isFalse();
    assertThat(budget.line().length()).isOne();
    assertThat(budget.reserved()).isEqualTo(100);
  }

  @Test
  void whoActsForAllGivesUpInOrder() {
    reserve(50);
    Waiter large = new Waiter(60);
    budget.line().enter(large);
    assertThatThrownBy(() -> reserve(70)).isInstanceOf(OutOfMemoryError.class);
    assertThat(large.gone).isTrue();
    assertThat(large.served).isFalse();
    assertThat(budget.line().length()).isZero();
  }

  /** The thread that holds the memory needs a little more, and then frees all. */
  @Test
  void requestThatFitsPassesBeforeTheFirstGivesUp() throws Exception {
    reserve(90);
    Thread large = inLine(40, () -> {});
    reserve(5);
    budget.credit(95);
    large.join();
    assertThat(budget.reserved()).isEqualTo(40);
  }

  /** The collection for the first came too early for the garbage of the second. */
  @Test
  void garbageThatALaterThreadLeavesIsCollectedForIt() throws Exception {
    DirectMemory memory = DirectMemory.ofLimit(1_000_000);
    AtomicReference<ByteBuffer> held = new AtomicReference<>(memory.allocate(900_000));
    AtomicReference<ByteBuffer> first = new AtomicReference<>();
    Thread waiter = Thread.ofPlatform().start(() -> first.set(memory.allocate(400_000)));
    WaitingLine line = memory.budget().line();
    while (line.collections() == 0) {
      Thread.onSpinWait();
    }
    held.set(null);
    ByteBuffer second = memory.allocate(400_000);
    waiter.join();
    assertThat(first.get().capacity() + second.capacity()).isEqualTo(800_000);
  }

  /** Real memory that is not taken back before the test says so. */
  private static final class Held implements MemorySource {
    final CountDownLatch released = new CountDownLatch(1);
    final AtomicInteger freeing = new AtomicInteger();

    @Override
    public long allocateZeroed(long byteSize) {
      return SYSTEM.allocateZeroed(byteSize);
    }

    @Override
    public void free(long address, long byteSize) {
      freeing.incrementAndGet();
      try {
        released.await();
      } catch (InterruptedException notExpected) {
        throw new AssertionError(notExpected);
      }
      SYSTEM.free(address, byteSize);
    }
  }

  /** As the garbage collector itself counts them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void threadsThatRunOutTogetherCostOneCollection(int count) throws Exception {
    reserve(100);
    int attempts = 0;
    while (!runOutTogether(count)) {
      attempts++;
      assertThat(attempts).as("times that the first in line did not find the block").isLessThan(20);
    }
  }

  /**
   * Two blocks keep everybody busy who frees: the reclaimer with one of them and the first in line
   * with the other, until all have come. Says no if the second block was passed on too late. Large
   * blocks are freed one at a time, and not kept.
   */
  private boolean runOutTogether(int count) throws Exception {
    Held held = new Held();
    int byteSize = 2 * (int) KeptMemory.LARGEST;
    DirectMemory memory = new DirectMemory(new Budget(2L * byteSize, "the test"), held);
    memory.allocate(byteSize);
    memory.allocate(byteSize);
    Collected.await("one of the two", () -> held.freeing.get() == 1);
    long asked = budget.line().collections();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // A virtual thread at the head would keep its carrier.
      Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      threads.add(builder.start(() -> refused.addAndGet(isRefused() ? 1 : 0)));
      while (i == 0 && held.freeing.get() == 1 && budget.line().collections() == asked) {
        Thread.onSpinWait();
      }
    }
    while (budget.line().length() < count && budget.line().collections() == asked) {
      Thread.onSpinWait();
    }
    boolean together = budget.line().collections() == asked;
    long full = fullCollections();
    held.released.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused).hasValue(count);
    assertThat(budget.reserved()).isEqualTo(100);
    if (together) {
      assertThat(budget.line().collections()).isEqualTo(asked + 1);
      assertThat(fullCollections()).isEqualTo(full + 1);
    }
    return together;
  }

  private boolean isRefused() {
    try {
      reserve(100);
      return false;
    } catch (OutOfMemoryError expected) {
      return true;
    }
  }

  private static long fullCollections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(collector -> FULL.contains(collector.getName()))
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  @Test
  void moreCannotBeCreditedThanWasReserved() {
    reserve(10);
    assertThatThrownBy(() -> budget.credit(11))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Bytes must be reserved before they are credited: credited 11, reserved 10");
    assertThat(budget.reserved()).isEqualTo(10);
  }
}
