package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that wait: who is served, who is refused, and at which cost. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // No interrupt ends a wait.
class WaitersTest {
  /** The names that the collectors of a JVM's own choice have for full collections. */
  private static final Set<String> FULL = Set.of("G1 Old Generation", "MarkSweepCompact");

  /** So long that no waiter of a test is refused because its thread was late. */
  private final Budget patient = Budget.ofAgent(100, false, TimeUnit.SECONDS.toNanos(60));

  private final Budget budget = new Budget(100, "the test");

  /** A thread that charges, and waits when this returns. */
  private Thread waiting(long byteSize, Runnable then) {
    int before = patient.waiters().length();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  patient.charge(byteSize);
                  then.run();
                });
    while (patient.waiters().length() == before) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void limitsThatFallKeepWhatIsFreedAndServeAgainWhenTheyRise() throws Exception {
    patient.charge(100);
    patient.setCeiling(60);
    Thread waiter = waiting(20, () -> {});
    patient.refund(50);
    assertThat(patient.inUse()).as("20 would make 70").isEqualTo(50);
    assertThat(waiter.isAlive()).isTrue();
    patient.setCeiling(70);
    waiter.join();
    assertThat(patient.inUse()).isEqualTo(70);

    patient.setCeiling(Long.MAX_VALUE);
    patient.changeLimit(80);
    Thread another = waiting(20, () -> {});
    patient.refund(5);
    assertThat(patient.inUse()).isEqualTo(65);
    patient.changeLimit(85);
    another.join();
    assertThat(patient.inUse()).isEqualTo(85);
  }

  @Test
  void aRefusalNamesTheBoundThatWasReachedAndTellsOfItself() {
    Budget hasty = Budget.ofAgent(100, false, 0);
    AtomicInteger told = new AtomicInteger();
    hasty.attachWatch(() -> ", resident in the process 900, bound 1000", told::incrementAndGet);
    hasty.charge(40);
    hasty.setCeiling(-10);
    assertThatThrownBy(() -> hasty.charge(1))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "Native memory must keep the process within its bound: asked for 1 bytes, in use 40,"
                + " resident in the process 900, bound 1000. Free memory sooner, or raise the"
                + " bound: agent option limit.process.");
    assertThatThrownBy(() -> hasty.charge(70)).hasMessageContaining("in use 40, limit 100.");
    assertThat(told).hasValue(2);
    hasty.setCeiling(90);
    hasty.charge(50);
    assertThat(hasty.inUse()).isEqualTo(90);
  }

  @Test
  void refundServesTheOldestWaitersThatFit() throws Exception {
    patient.charge(100);
    Thread large = waiting(90, () -> {});
    Thread small = waiting(20, () -> {});
    Thread later = waiting(15, () -> {});
    patient.refund(30);
    small.join();
    assertThat(patient.inUse()).as("20 of 30 are taken, and 15 do not fit").isEqualTo(90);
    patient.refund(5);
    later.join();
    assertThat(large.isAlive()).isTrue();
    patient.refund(90);
    large.join();
    assertThat(patient.inUse()).as("all of the limit").isEqualTo(100);
  }

  @Test
  void whatFitsIsServedAtOnceWhoeverWaits() throws Exception {
    patient.charge(60);
    Thread large = waiting(60, () -> {});
    for (int i = 0; i < 1000; i++) {
      patient.charge(40);
      patient.refund(40);
    }
    patient.refund(60);
    large.join();
    assertThat(patient.inUse()).isEqualTo(60);
  }

  @Test
  void interruptDoesNotEndTheWaitAndIsKept() throws Exception {
    patient.charge(100);
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    Thread waiter = waiting(60, () -> interrupted.set(Thread.currentThread().isInterrupted()));
    waiter.interrupt();
    patient.refund(60);
    waiter.join();
    assertThat(interrupted).hasValue(true);
    assertThat(patient.inUse()).isEqualTo(100);
  }

  @Test
  void interruptIsKeptAlsoWhenTheWaitIsInVain() {
    budget.charge(100);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> budget.charge(1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(budget.waiters().length()).isZero();
    assertThat(budget.inUse()).isEqualTo(100);
  }

  /** Others arrive, are served, and give bytes back: that is no reason to wait longer. */
  @Test
  void eachIsRefusedInTimeWhateverOthersDo() throws Exception {
    Budget busy = Budget.ofAgent(100, false, TimeUnit.MILLISECONDS.toNanos(300));
    busy.charge(50);
    AtomicReference<Boolean> isRefused = new AtomicReference<>();
    Thread large = Thread.ofPlatform().start(() -> isRefused.set(isRefused(busy, 60)));
    while (large.isAlive()) {
      busy.charge(50);
      busy.refund(50);
    }
    assertThat(isRefused).hasValue(true);
    assertThat(busy.inUse()).isEqualTo(50);
  }

  @Test
  void nobodyWaitsIfTheWaitIsNone() {
    Budget impatient = Budget.ofAgent(100, false, 0);
    impatient.charge(100);
    assertThat(isRefused(impatient, 1)).isTrue();
    impatient.refund(100);
    assertThat(isRefused(impatient, 100)).isFalse();
  }

  /** A waiter whose thread has ended in its wait would take bytes that nobody gives back. */
  @Test
  void bytesOfferedToAThreadThatHasEndedAreFoundAgain() throws Exception {
    Budget short1 = Budget.ofAgent(100, false, 1);
    short1.charge(100);
    Waiters.Waiter dead = short1.waiters().new Waiter(70);
    short1.waiters().enter(dead);
    short1.refund(70);
    assertThat(dead.is(Waiters.State.OFFERED)).isTrue();
    assertThat(short1.inUse()).isEqualTo(100);
    while (short1.inUse() != 30) {
      isRefused(short1, 100); // as any request does
      Thread.sleep(50);
    }
    assertThat(dead.is(Waiters.State.GONE)).isTrue();
  }

  private static Budget patientOf(long limit) {
    return Budget.ofAgent(limit, false, TimeUnit.SECONDS.toNanos(60));
  }

  /** The collection for the first came too early for the garbage of the second. */
  @Test
  void garbageThatALaterThreadLeavesIsCollectedForIt() throws Exception {
    DirectMemory memory = new DirectMemory(patientOf(1_000_000), MemorySource.SYSTEM);
    AtomicReference<ByteBuffer> held = new AtomicReference<>(memory.allocate(900_000));
    long before = Collector.begun();
    Thread first = Thread.ofPlatform().start(() -> memory.allocate(400_000));
    while (Collector.begun() == before) {
      Thread.onSpinWait();
    }
    held.set(null);
    Thread second = Thread.ofPlatform().start(() -> memory.allocate(400_000));
    first.join();
    second.join(); // after at most two collections, not a minute
    assertThat(memory.budget().refused()).isZero();
  }

  /** A thread may be held up between its look whether a collection has begun and asking for one. */
  @Test
  void oneThatAsksTooLateGetsNoCollectionOfItsOwn() {
    Waiters.Waiter late = patient.waiters().new Waiter(Long.MAX_VALUE);
    long before = Collector.begun();
    while (Collector.begun() == before) {
      Collector.ask(patient.waiters().new Waiter(Long.MAX_VALUE));
    }
    while (Collector.isAsked()) {
      Collector.ask(late); // as those who wait do: the thread may have missed the request before
    }
    long begun = Collector.begun();

    do {
      Collector.ask(late);
    } while (Collector.isAsked());

    assertThat(Collector.begun()).isEqualTo(begun);
  }

  /** As the garbage collector itself counts them. */
  @Test
  void threadsThatRunOutTogetherShareCollections() throws Exception {
    DirectMemory memory = DirectMemory.ofLimit(1000);
    MemorySegment held = memory.allocate(1000, 1);
    AtomicInteger refused = new AtomicInteger();
    long full = fullCollections();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      threads.add(builder.start(() -> refused.addAndGet(isRefused(memory.budget(), 100) ? 1 : 0)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused).hasValue(200);
    assertThat(memory.reserved()).isEqualTo(1000);
    assertThat(fullCollections() - full).isBetween(1L, 10L);
    memory.free(held);
  }

  /** Memory that the program has to free is not found by a collection. */
  @Test
  void nobodyCollectsForMemoryThatNoCollectionFrees() {
    long before = Collector.begun();
    budget.charge(100);
    assertThat(isRefused(budget, 1)).isTrue();
    assertThat(Collector.begun()).isEqualTo(before);
  }

  /** A program that frees memory itself may do so again. */
  @Test
  void aRefundEndsTheImpatienceAfterACollectionInVain() throws Exception {
    patient.setHolders(() -> 1, () -> "");
    patient.charge(100);
    long before = Collector.begun();
    while (Collector.begun() == before) {
      patient.waiters().askForCollection();
    }
    while (!patient.waiters().isHopeless()) {
      Thread.sleep(10);
    }

    patient.refund(30);

    assertThat(patient.waiters().isHopeless()).isFalse();
  }

  /** Each holds the carrier that it runs on: the thread that collects needs none. */
  @Test
  void virtualThreadsThatAreCalledBackWaitToo() throws Exception {
    budget.charge(100);
    int carriers = Runtime.getRuntime().availableProcessors() + 1;
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < carriers; i++) {
      threads.add(Thread.ofVirtual().start(() -> askCalledBack(refused)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused).hasValue(carriers);
  }

  private void askCalledBack(AtomicInteger refused) {
    try (Arena arena = Arena.ofConfined()) {
      Comparing comparing =
          (a, b) -> {
            refused.addAndGet(isRefused(budget, 100) ? 1 : 0);
            return 0;
          };
      Comparing.sort(arena.allocate(ValueLayout.JAVA_INT, 2), 2, comparing.upcall(arena));
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static boolean isRefused(Budget of, long byteSize) {
    try {
      of.charge(byteSize);
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
}
