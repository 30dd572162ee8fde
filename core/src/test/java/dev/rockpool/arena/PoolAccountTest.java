package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.internal.Account;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a pool and its arenas reserve and credit. */
class PoolAccountTest {
  private static final int BLOCK = 512;

  /** Refuses what is beyond a limit at once. */
  private static final class Limited implements Account {
    final AtomicLong bytes = new AtomicLong();
    volatile long limit = Long.MAX_VALUE;
    volatile boolean mayKeep = true;

    @Override
    public void reserve(long byteSize) {
      if (!tryReserve(byteSize)) {
        throw new OutOfMemoryError("the test's limit");
      }
    }

    @Override
    public boolean tryReserve(long byteSize) {
      if (bytes.addAndGet(byteSize) > limit) {
        bytes.addAndGet(-byteSize);
        return false;
      }
      return true;
    }

    @Override
    public boolean mayKeep() {
      return mayKeep;
    }

    @Override
    public void credit(long byteSize) {
      if (bytes.addAndGet(-byteSize) < 0) {
        throw new AssertionError("credited more than was reserved");
      }
    }
  }

  private final Limited ofBlocks = new Limited();
  private final Limited ofSite = new Limited();
  private final BlockPool shared = BlockPool.of(BLOCK, 4, ofBlocks);
  private final BlockPool pool = shared.heldBy(ofSite);

  @Test
  void blocksAreReservedFromTheirAllocationUntilTheyAreFreed() throws Exception {
    Thread[] threads = new Thread[6];
    for (int i = 0; i < threads.length; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Runnable work = () -> openAndClose(random, 2000, 0);
      threads[i] = i % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long kept = shared.memory().statistics(shared.state()).bytesKept();
    assertThat(ofBlocks.bytes.get()).isEqualTo(kept);
    shared.memory().freeAll();
    assertThat(ofBlocks.bytes.get()).isZero();
    assertThat(ofSite.bytes.get()).isZero();
  }

  /** Nested, of sizes that need a fresh block, a kept one, a larger one, or the JDK. */
  private void openAndClose(SplittableRandom random, int times, int depth) {
    for (int i = 0; i < times; i++) {
      try (Arena arena = pool.open()) {
        for (int n = random.nextInt(4); n > 0; n--) {
          arena.allocate(random.nextInt(random.nextInt(4) == 0 ? 20_000 : 700), 8);
        }
        if (depth < 6 && random.nextBoolean()) {
          openAndClose(random, 1, depth + 1);
        }
      }
    }
  }

  /** Fresh blocks, of a usual size or not, and kept ones of an arena that has grown. */
  @Test
  void poolThatKeepsTooMuchKeepsNoMore() {
    try (Arena arena = pool.open()) {
      arena.allocate(100);
    }
    assertThat(ofBlocks.bytes.get()).isEqualTo(BLOCK);
    ofBlocks.mayKeep = false;
    for (int round = 0; round < 5; round++) {
      useOnce(100, BLOCK);
      useOnce(5000, 8192);
      useOnce(BLOCK, 8192);
    }
    assertThat(ofBlocks.bytes.get()).isLessThanOrEqualTo(BLOCK);
    ofBlocks.mayKeep = true;
    for (int round = 0; round < 30; round++) {
      useOnce(5000, 5000);
    }
    assertThat(ofBlocks.bytes.get()).isGreaterThanOrEqualTo(2 * BlockPool.LARGE_BYTE_SIZE);
  }

  /** Opens four arenas, allocates in each, and closes them. */
  private void useOnce(int... byteSizes) {
    List<Arena> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Arena arena = pool.open();
      open.add(arena);
      for (int byteSize : byteSizes) {
        arena.allocate(byteSize);
      }
    }
    open.forEach(Arena::close);
  }

  @Test
  void whatDoesNotFitTheBlocksIsHeldByTheSiteUntilTheArenaIsClosed() {
    try (Arena arena = pool.open()) {
      arena.allocate(BLOCK);
      assertThat(ofSite.bytes.get()).isZero();
      arena.allocate(100_000);
      arena.allocate(100_000, 64);
      assertThat(ofSite.bytes.get()).isEqualTo(200_048);
    }
    assertThat(ofSite.bytes.get()).isZero();
  }

  @Test
  void siteHoldsWhatTheLimitRefusesToThePool() {
    ofBlocks.limit = 0;
    try (Arena arena = pool.open()) {
      assertThat(arena.allocate(100).byteSize()).isEqualTo(100);
      assertThat(ofSite.bytes.get()).isEqualTo(100);
    }
    assertThat(ofSite.bytes.get()).isZero();
    assertThat(ofBlocks.bytes.get()).isZero();
  }

  @Test
  void arenaGoesOnAfterARefusal() {
    ofSite.limit = 50_000;
    try (Arena arena = pool.open()) {
      arena.allocate(40_000);
      assertThatThrownBy(() -> arena.allocate(10_001)).isInstanceOf(OutOfMemoryError.class);
      arena.allocate(10_000);
      assertThat(ofSite.bytes.get()).isEqualTo(50_000);
    }
    assertThat(ofSite.bytes.get()).isZero();
  }

  @Test
  void misuseReservesNothing() {
    Arena closed = pool.open();
    closed.close();
    assertThatThrownBy(() -> closed.allocate(100_000)).isInstanceOf(IllegalStateException.class);
    try (Arena arena = pool.open()) {
      assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(100_000, 3))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(ofSite.bytes.get()).isZero();
  }
}
