package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cache that finds the blocks of the current thread. */
class BlockPoolTest {
  private static final int BLOCK = 512;

  private final BlockPool pool = BlockPool.of(BLOCK, 8);
  private final List<ExecutorService> threads =
      Stream.generate(() -> threadAt(17)).limit(3).toList();

  @AfterEach
  void endThreadsAndCheck() {
    threads.forEach(ExecutorService::close);
    pool.memory().checkInvariants();
    pool.memory().freeAll();
  }

  /** A thread whose id is {@code element} modulo the length of the cache. */
  private ExecutorService threadAt(int element) {
    return Executors.newSingleThreadExecutor(
        task -> {
          // Threads that are never started use up an id each.
          Thread thread = new Thread(task);
          while (thread.threadId() % pool.byThreadId().length != element) {
            thread = new Thread(task);
          }
          return thread;
        });
  }

  @Test
  void threadsThatShareAnElementOfTheCacheDoNotShareBlocks() throws Exception {
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
    assertThat(pool.memory().statistics(pool.state()).threads()).isEqualTo(3);
  }
}
