package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at once, each of which finds nothing but its own marks in its memory. */
@ParameterizedClass(name = "{0} slabs for a thread")
@ValueSource(ints = {1, 7})
class ManyThreadsTest {
  private static final int SLAB = 512;
  private static final int THREADS = 64;

  private final Pool pool;

  ManyThreadsTest(int slabsPerThread) {
    pool = Pool.of(SLAB, slabsPerThread, 0);
  }

  @AfterEach
  void checkAndFree() {
    assertThat(pool.registry().owned()).isZero();
    pool.registry().checkInvariants();
    pool.registry().freeAll();
    assertThat(pool.registry().threads()).isZero();
  }

  private record Held(Arena arena, MemorySegment memory, long mark) {}

  /** Nests arenas at random, and writes {@code mark} and a number into all that it gets. */
  private int work(int mark, int rounds) {
    SplittableRandom random = new SplittableRandom(mark);
    Deque<Held> open = new ArrayDeque<>();
    for (int round = 0; round < rounds; round++) {
      if (open.size() < 9 && random.nextInt(3) != 0) {
        open.push(hold(((long) mark << 32) + round, random.nextInt(1, SLAB / Long.BYTES + 2)));
      } else if (!open.isEmpty()) {
        close(random.nextBoolean() ? open.pop() : open.removeLast());
      }
    }
    open.forEach(ManyThreadsTest::close);
    return rounds;
  }

  private Held hold(long mark, int words) {
    Arena arena = pool.open();
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, words);
    for (int i = 0; i < words; i++) {
      long found = memory.getAtIndex(ValueLayout.JAVA_LONG, i);
      if (found != 0) {
        throw new AssertionError("%x found at word %d by %x".formatted(found, i, mark));
      }
      memory.setAtIndex(ValueLayout.JAVA_LONG, i, mark);
    }
    return new Held(arena, memory, mark);
  }

  private static void close(Held held) {
    long words = held.memory.byteSize() / Long.BYTES;
    for (int i = 0; i < words; i++) {
      long found = held.memory.getAtIndex(ValueLayout.JAVA_LONG, i);
      if (found != held.mark) {
        throw new AssertionError("%x found at word %d by %x".formatted(found, i, held.mark));
      }
    }
    held.arena.close();
  }

  /** Runs as many tasks as there are threads, all at once, and waits for them. */
  private static void atOnce(ThreadFactory factory, Callable<Integer> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(factory)) {
      List<Future<Integer>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        results.add(
            executor.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      for (Future<Integer> result : results) {
        assertThat(result.get()).isPositive();
      }
    }
  }

  private static int id() {
    return (int) Thread.currentThread().threadId();
  }

  @Test
  void platformThreadsDoNotSeeEachOther() throws Exception {
    atOnce(Thread.ofPlatform().factory(), () -> work(id(), 5_000));
    assertThat(pool.registry().threads()).isBetween(1, THREADS);
  }

  @Test
  void virtualThreadsDoNotSeeEachOther() throws Exception {
    atOnce(Thread.ofVirtual().factory(), () -> work(id(), 5_000));
  }

  @Test
  void threadsThatComeAndGoDoNotSeeEachOther() throws Exception {
    atOnce(
        Thread.ofPlatform().factory(),
        () -> {
          int rounds = work(id(), 100);
          for (int i = 0; i < 20; i++) {
            rounds += ThreadKind.PLATFORM.call(() -> work(id(), 100));
          }
          return rounds + work(id(), 100);
        });
    Collected.await(
        "memory of ended threads",
        () -> {
          pool.registry().sweep();
          return pool.registry().threads() == 0;
        });
    assertThat(pool.byteSize()).isZero();
  }
}
