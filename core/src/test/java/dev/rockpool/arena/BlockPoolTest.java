package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void openArenaOwnsWhatTheThreadKept() {
    long kept = keepBlocks(pool, 1).getFirst();
    assertKept(1, 0);
    try (Arena arena = pool.open()) {
      assertKept(0, 0);
      assertThat(arena.allocate(1).address()).isEqualTo(kept);
    }
    assertKept(1, 0);
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

  @Test
  void freshBlockIsFreedAndAUsualOneMade() {
    try (Arena arena = pool.open()) {
      arena.allocate(100);
    }
    assertKept(1, 0);
    try (Arena outer = pool.open();
        Arena inner = pool.open()) {
      outer.allocate(1);
      inner.allocate(100);
    }
    assertKept(2, 0);
    assertThat(statistics(pool).fromFreshBlock()).isEqualTo(2);
  }

  /** Each of three allocations that do not fit: the first block, a larger one, the JDK. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void arenaOutgrowsOneBlockAndThenTheJdkServes(boolean fromKept) {
    if (fromKept) {
      keepBlocks(pool, 1);
      keepLargeBlock();
    }
    BlockArena arena = (BlockArena) pool.open();
    List<MemorySegment> live = new ArrayList<>();
    for (int byteSize : new int[] {48, BLOCK, 100, fromKept ? 5000 : 300, 16}) {
      live.add(ArenaContract.allocateFilled(arena, byteSize, byteSize));
      assertThat(arena.isServedByPool()).isTrue();
    }
    live.add(ArenaContract.allocateFilled(arena, LARGE, LARGE));
    assertThat(arena.isServedByPool()).isFalse();
    live.add(ArenaContract.allocateFilled(arena, LARGE / 2, LARGE / 2));
    ArenaContract.assertDisjoint(live);
    live.forEach(memory -> ArenaContract.assertFilled(memory, (byte) memory.byteSize()));
    arena.close();
    assertThat(statistics(pool).byJdk()).isEqualTo(1);
    assertKept(1, 1);
  }

  @Test
  void unusedBlockIsGivenBackAtGrowth() {
    long kept = keepBlocks(pool, 1).getFirst();
    try (Arena arena = pool.open()) {
      arena.allocate(BLOCK + 1);
      assertKept(1, 0);
      try (Arena inner = pool.open()) {
        assertThat(inner.allocate(8).address()).isEqualTo(kept);
      }
    }
    assertKept(1, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 7, 20, 64})
  void freshBlocksAreZeroAndDisjointBesideOpenArenas(int openArenas) {
    List<Arena> open = new ArrayList<>();
    List<MemorySegment> live = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      keepBlocks(pool, round * 4);
      for (int i = 0; i <= openArenas; i++) {
        open.add(pool.open());
        for (int byteSize : new int[] {1 + i % 70, 300, 3000}) {
          live.add(ArenaContract.allocateFilled(open.getLast(), byteSize, live.size() + 1));
        }
      }
      ArenaContract.assertDisjoint(live);
      for (int i = 0; i < live.size(); i++) {
        ArenaContract.assertFilled(live.get(i), (byte) (i + 1));
      }
      (round % 2 == 0 ? open : open.reversed()).forEach(Arena::close);
      open.clear();
      live.clear();
      pool.memory().checkInvariants();
    }
    assertThat(statistics(pool).bytesKept()).isLessThanOrEqualTo(8 * BLOCK + 2 * LARGE);
  }

  @ParameterizedTest
  @ValueSource(ints = {LARGE, 2 * LARGE, 1 << 20})
  void poolOfLargeBlocksHasNoLargerOnes(int blockByteSize) {
    BlockPool large = BlockPool.of(blockByteSize, 2);
    assertThat(large.largeByteSize()).isZero();
    for (int round = 0; round < 3; round++) {
      try (Arena arena = large.open()) {
        ArenaContract.allocateFilled(arena, blockByteSize, 1);
        ArenaContract.allocateFilled(arena, 1, 1);
      }
    }
    assertThat(statistics(large).byJdk()).isEqualTo(3);
    assertThat(statistics(large).bytesKept()).isEqualTo(blockByteSize);
    large.memory().freeAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64, 128, 256, 512, 1024, 2048, 4096})
  void alignedAllocationsComeFromBlocks(int alignment) {
    keepLargeBlock();
    for (int round = 0; round < 3; round++) {
      try (Arena arena = pool.open()) {
        for (int i = 0; i < 3; i++) {
          MemorySegment memory = arena.allocate(8 + i, alignment);
          assertThat(memory.address() % alignment).isZero();
          ArenaContract.assertZero(memory);
          memory.fill((byte) -1);
        }
      }
      pool.memory().checkInvariants();
    }
    assertThat(statistics(pool).byJdk()).isEqualTo(alignment < 4096 ? 0 : 3);
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

  @Test
  void virtualThreadsUseTheBlocksOfTheirCarrierIfItCanBeReached() throws Exception {
    for (int i = 0; i < 100; i++) {
      ThreadKind.VIRTUAL.call(() -> keepBlocks(pool, 1));
    }
    int carriers = Runtime.getRuntime().availableProcessors();
    if (Carrier.isReachable()) {
      assertThat(statistics(pool).threads()).isBetween(1, carriers);
      assertThat(pool.memory().striped.count()).isZero();
    } else {
      assertThat(statistics(pool).threads()).isZero();
      assertThat(pool.memory().striped.count()).isPositive();
    }
  }
}
