package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The way of blocks between threads and arenas. */
class BlockPoolTest {
  private static final int BLOCK = 512;
  private static final int LARGE = BlockPool.LARGE_BYTE_SIZE;

  private final BlockPool pool = BlockPool.of(BLOCK, 8);
  private final List<ExecutorService> executors = new ArrayList<>();

  @AfterEach
  void endThreadsAndCheck() {
    executors.forEach(ExecutorService::close);
    pool.memory().checkInvariants();
    pool.memory().freeAll();
  }

  /** Has this thread keep so many usual blocks; they are kept in the reverse of this order. */
  private List<Long> keepBlocks(BlockPool pool, int count) {
    List<Arena> open = new ArrayList<>();
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      open.add(pool.open());
      addresses.add(open.getLast().allocate(pool.blockByteSize()).address());
    }
    open.forEach(Arena::close);
    return addresses;
  }

  private void keepLargeBlock() {
    try (Arena arena = pool.open()) {
      arena.allocate(LARGE);
    }
  }

  private static PoolStatistics statistics(BlockPool pool) {
    return pool.memory().statistics(pool.state());
  }

  private void assertKept(int blocks, int large) {
    assertThat(statistics(pool).bytesKept())
        .isEqualTo((long) blocks * BLOCK + (long) large * LARGE);
  }

  @Test
  void threadKeepsNoMoreThanItsBlocks() {
    keepBlocks(pool, 30);
    assertKept(8, 0);
    keepLargeBlock();
    List<Arena> open = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      open.add(pool.open());
      open.getLast().allocate(16);
      open.getLast().allocate(LARGE - 100);
    }
    assertKept(0, 0);
    open.reversed().forEach(Arena::close);
    assertKept(8, 2);
  }

  /** A thread whose id is {@code element} modulo the length of the cache. */
  private ExecutorService threadAt(int element) {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              // Threads that are never started use up an id each.
              Thread thread = new Thread(task);
              while (thread.threadId() % pool.byThreadId().length != element) {
                thread = new Thread(task);
              }
              return thread;
            });
    executors.add(executor);
    return executor;
  }

  @Test
  void threadsThatShareAnElementOfTheCacheDoNotShareBlocks() throws Exception {
    List<ExecutorService> threads = List.of(threadAt(17), threadAt(17), threadAt(17));
    Callable<Arena> open = pool::open;
    for (int round = 0; round < 3; round++) {
      List<Arena> arenas = new ArrayList<>();
      List<MemorySegment> live = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        ExecutorService thread = threads.get(i % threads.size());
        Arena arena = thread.submit(open).get();
        arenas.add(arena);
        live.add(thread.submit(() -> ArenaContract.allocateFilled(arena, BLOCK, 1)).get());
      }
      ArenaContract.assertDisjoint(live);
      for (int i = 0; i < arenas.size(); i++) {
        threads.get(i % threads.size()).submit(arenas.get(i)::close).get();
        ThreadBlocks cached = threads.get(i % threads.size()).submit(pool::cached).get();
        assertThat(pool.byThreadId()[17]).isSameAs(cached).isNotNull();
      }
    }
    assertThat(statistics(pool).threads()).isEqualTo(3);
  }
}
