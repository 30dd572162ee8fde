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
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The waiting threads: how long they wait, in which order, and at which cost. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // No interrupt ends a wait.
class WaitingLineTest {
  /** The names that the collectors of a JVM's own choice have for full collections. */
  private static final Set<String> FULL = Set.of("G1 Old Generation", "MarkSweepCompact");

  private final DirectMemory memory =
      new DirectMemory(new Budget(100, "the test"), MemorySource.SYSTEM);

  private final WaitingLine line = memory.line();

  /** A thread that reserves, and is in line when this returns. */
  private Thread inLine(long byteSize, Runnable then) {
    return inLine(
        line,
        () -> {
          memory.reserve(byteSize);
          then.run();
        });
  }

  private static Thread inLine(WaitingLine line, Runnable request) {
    int before = line.length();
    Thread thread = Thread.ofPlatform().start(request);
    while (line.length() == before && thread.isAlive()) {
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
    memory.reserve(100);
    List<Integer> served = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    try (PausedReclaimer _ = new PausedReclaimer()) {
      for (int size : new int[] {90, 10, 80, 1, 100, 5}) {
        threads.add(inLine(size, () -> served.add(size)));
      }
      memory.credit(100);
      threads.get(0).join();
      threads.get(1).join();
      assertThat(served).containsExactlyInAnyOrder(90, 10);
      assertThat(line.length()).isEqualTo(4);
      memory.credit(100);
      threads.get(2).join();
      threads.get(3).join();
      assertThat(served.subList(2, 4)).containsExactlyInAnyOrder(80, 1);
      memory.credit(81);
      threads.get(4).join();
      assertThat(served.get(4)).isEqualTo(100);
      memory.credit(100);
      threads.get(5).join();
    }
    assertThat(memory.reserved()).isEqualTo(5);
    assertThat(line.length()).isZero();
  }

  @Test
  void interruptDoesNotEndTheWaitAndIsKept() throws Exception {
    memory.reserve(100);
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    try (PausedReclaimer _ = new PausedReclaimer()) {
      Thread waiter = inLine(60, () -> interrupted.set(Thread.currentThread().isInterrupted()));
      waiter.interrupt();
      memory.credit(60);
      waiter.join();
    }
    assertThat(interrupted).hasValue(true);
    assertThat(memory.reserved()).isEqualTo(100);
  }

  @Test
  void interruptIsKeptAlsoWhenTheWaitIsInVain() {
    memory.reserve(100);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> memory.reserve(1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(line.length()).isZero();
    assertThat(memory.reserved()).isEqualTo(100);
  }

  /** The thread that holds the memory needs a little more, and then frees all. */
  @Test
  void requestThatFitsPassesBeforeTheFirstGivesUp() throws Exception {
    memory.reserve(90);
    try (PausedReclaimer reclaimer = new PausedReclaimer()) {
      Thread large = inLine(40, () -> {});
      Thread passing = inLine(5, () -> {});
      reclaimer.driveUntil(() -> line.length() == 1);
      passing.join();
      memory.credit(95);
      large.join();
    }
    assertThat(memory.reserved()).isEqualTo(40);
  }

  /** Otherwise small requests that keep coming would starve it. */
  @Test
  void firstWaiterLetsOthersPassOnlyOnce() throws Exception {
    memory.reserve(90);
    try (PausedReclaimer reclaimer = new PausedReclaimer()) {
      WaitingLine.Waiter first = new WaitingLine.Waiter(40);
      WaitingLine.Waiter passing = new WaitingLine.Waiter(5);
      WaitingLine.Waiter later = new WaitingLine.Waiter(5);
      line.enter(first);
      line.enter(passing);
      reclaimer.driveUntil(() -> passing.served != null);
      assertThat(passing.served).isTrue();
      assertThat(first.served).isNull();
      line.enter(later);
      reclaimer.driveUntil(() -> later.served != null);
      assertThat(first.served).as("refused before the later one was served").isFalse();
      assertThat(later.served).isTrue();
    }
    assertThat(memory.reserved()).isEqualTo(100);
    assertThat(line.length()).isZero();
  }

  /** The collection for the first came too early for the garbage of the second. */
  @Test
  void garbageThatALaterThreadLeavesIsCollectedForIt() throws Exception {
    DirectMemory large = DirectMemory.ofLimit(1_000_000);
    AtomicReference<ByteBuffer> held = new AtomicReference<>(large.allocate(900_000));
    Queue<ByteBuffer> served = new ConcurrentLinkedQueue<>();
    try (PausedReclaimer reclaimer = new PausedReclaimer()) {
      Thread first = inLine(large.line(), () -> served.add(large.allocate(400_000)));
      long before = fullCollections();
      reclaimer.driveUntil(() -> fullCollections() > before);
      held.set(null);
      Thread second = inLine(large.line(), () -> served.add(large.allocate(400_000)));
      reclaimer.driveUntil(() -> fullCollections() > before + 1 || !first.isAlive());
      first.join();
      second.join();
    }
    assertThat(served).hasSize(2);
  }

  @Test
  void keptMemoryServesAWaiterOfAnotherSize() throws Exception {
    DirectMemory keeping = DirectMemory.ofLimit(64 << 10);
    MemorySegment all = keeping.allocate(64 << 10, 1);
    AtomicReference<MemorySegment> served = new AtomicReference<>();
    try (PausedReclaimer _ = new PausedReclaimer()) {
      Thread waiter = inLine(keeping.line(), () -> served.set(keeping.allocate(40_000, 1)));
      keeping.free(all);
      waiter.join();
    }
    assertThat(served.get().byteSize()).isEqualTo(40_000);
    assertThat(keeping.reserved()).isEqualTo(40_000);
    assertThat(keeping.keptMemory().kept()).isZero();
  }

  /**
   * As the garbage collector itself counts them. The reclaimer asks for a collection when all
   * threads are in line.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void threadsThatRunOutTogetherCostOneCollection(int count) throws Exception {
    memory.reserve(100);
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    long full;
    try (PausedReclaimer _ = new PausedReclaimer()) {
      for (int i = 0; i < count; i++) {
        Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
        threads.add(builder.start(() -> refused.addAndGet(isRefused() ? 1 : 0)));
      }
      while (line.length() < count) {
        Thread.onSpinWait();
      }
      full = fullCollections();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(refused).hasValue(count);
    assertThat(memory.reserved()).isEqualTo(100);
    assertThat(fullCollections()).isEqualTo(full + 1);
  }

  /** Each holds the carrier that it runs on: the one that drives the line needs none. */
  @Test
  void virtualThreadsThatAreCalledBackWaitToo() throws Exception {
    memory.reserve(100);
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
            refused.addAndGet(isRefused() ? 1 : 0);
            return 0;
          };
      Comparing.sort(arena.allocate(ValueLayout.JAVA_INT, 2), 2, comparing.upcall(arena));
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private boolean isRefused() {
    try {
      memory.reserve(100);
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
