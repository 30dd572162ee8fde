package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.Marked;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at once, each of which finds nothing but its own marks in its memory. */
@ParameterizedClass(name = "{0} blocks for a thread")
@ValueSource(ints = {1, 8})
@Tag("jdk")
class ManyThreadsTest {
  private static final int BLOCK = 512;
  private static final int THREADS = 64;

  private final BlockPool pool;
  private final LongAdder opened = new LongAdder();

  ManyThreadsTest(int blocksPerThread) {
    pool = BlockPool.of(BLOCK, blocksPerThread);
  }

  @AfterEach
  void checkAndFree() {
    PoolStatistics statistics = pool.memory().statistics(pool.state());
    assertThat(statistics.arenasClosed()).isEqualTo(opened.sum());
    assertThat(statistics.allocationsByJdk()).isZero();
    pool.memory().checkInvariants();
    pool.memory().freeAll();
    assertThat(pool.memory().statistics(pool.state()).bytesKept()).isZero();
  }

  private record Held(Arena arena, MemorySegment memory, long mark) {}

  /** Nests arenas at random, and writes the thread's id and a number into all that it gets. */
  private int work(int rounds) {
    long mark = Thread.currentThread().threadId() << 32;
    SplittableRandom random = new SplittableRandom(mark);
    Deque<Held> open = new ArrayDeque<>();
    for (int round = 0; round < rounds; round++) {
      if (open.size() < 9 && random.nextInt(3) != 0) {
        open.push(hold(mark + round, random.nextInt(1, BLOCK / Long.BYTES + 1)));
      } else if (!open.isEmpty()) {
        close(random.nextBoolean() ? open.pop() : open.removeLast());
      }
    }
    open.forEach(ManyThreadsTest::close);
    return rounds;
  }

  private Held hold(long mark, int words) {
    Arena arena = pool.open();
    opened.increment();
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, words);
    Marked.replace(memory, 0, mark);
    return new Held(arena, memory, mark);
  }

  private static void close(Held held) {
    Marked.replace(held.memory, held.mark, -1);
    held.arena.close();
  }

  /** Runs {@code task} in many threads at once, and waits for them. */
  private static void atOnce(ThreadFactory factory, Callable<Integer> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    Callable<Integer> together = () -> start.await() + task.call();
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(factory)) {
      for (Future<Integer> each : executor.invokeAll(Collections.nCopies(THREADS, together))) {
        assertThat(each.get()).isPositive();
      }
    }
  }

  @Test
  void platformThreadsDoNotSeeEachOther() throws Exception {
    atOnce(Thread.ofPlatform().factory(), () -> work(5_000));
  }

  @Test
  void virtualThreadsDoNotSeeEachOther() throws Exception {
    atOnce(Thread.ofVirtual().factory(), () -> work(5_000));
  }

  @Test
  void threadsThatComeAndGoDoNotSeeEachOther() throws Exception {
    atOnce(
        Thread.ofPlatform().factory(),
        () -> {
          int rounds = work(100);
          for (int i = 0; i < 20; i++) {
            rounds += ThreadKind.PLATFORM.call(() -> work(100));
          }
          return rounds + work(100);
        });
    Collected.await(
        "memory of ended threads", () -> pool.memory().statistics(pool.state()).bytesKept() == 0);
  }
}
