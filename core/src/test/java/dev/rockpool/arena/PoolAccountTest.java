package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.internal.Account;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pool and its arenas reserve and credit. */
class PoolAccountTest {
  private static final int BLOCK = 512;

  /** Refuses what is beyond a limit at once. */
  private static final class Limited implements Account {
    final AtomicLong bytes = new AtomicLong();
    volatile long limit = Long.MAX_VALUE;

    @Override
    public void charge(long byteSize) {
      if (!tryCharge(byteSize)) {
        throw new OutOfMemoryError("the test's limit");
      }
    }

    @Override
    public boolean tryCharge(long byteSize) {
      if (bytes.addAndGet(byteSize) > limit) {
        bytes.addAndGet(-byteSize);
        return false;
      }
      return true;
    }

    @Override
    public void refund(long byteSize, boolean isFound) {
      if (bytes.addAndGet(-byteSize) < 0) {
        throw new AssertionError("refunded more than was charged");
      }
    }
  }

  private final Limited ofBlocks = new Limited();
  private final Limited ofSite = new Limited();
  private final BlockPool shared = BlockPool.of(BLOCK, 4, ofBlocks);
  private final BlockPool pool = shared.heldBy(ofSite);

  @Test
  void blocksAreReservedFromTheirAllocationUntilTheyAreFreed() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      SplittableRandom random = new SplittableRandom(i);
      ThreadKind kind = ThreadKind.values()[i % 2];
      threads.add(kind.start(() -> openAndClose(random, 2000, 0)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long kept = bytesKept(); // frees what ended threads keep
    assertThat(ofBlocks.bytes.get()).isEqualTo(kept);
    shared.memory().freeAll();
    assertThat(ofBlocks.bytes.get()).isZero();
    assertThat(ofSite.bytes.get()).isZero();
  }

  /** The second thread ends after a round that had nothing to free. */
  @Test
  void blocksOfEndedThreadsAreFreedByTheHousekeeper() throws Throwable {
    for (int i = 0; i < 2; i++) {
      ThreadKind.PLATFORM.run(() -> openAndClose(new SplittableRandom(1), 10, 0));
      assertThat(ofBlocks.bytes.get()).isPositive();
      Collected.await("blocks of the ended thread", () -> ofBlocks.bytes.get() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, BLOCK, BLOCK + 1, 8192})
  void arenaThatWaitsHoldsABlockAndTheThreadKeepsNoMoreThanItsOwn(int byteSize) {
    for (int round = 0; round < 2; round++) {
      List<Arena> waiting = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        waiting.add(pool.open());
        waiting.getLast().allocate(byteSize);
      }
      assertThat(ofBlocks.bytes.get()).isLessThanOrEqualTo(5000L * BLOCK);
      waiting.forEach(Arena::close);
      assertThat(ofBlocks.bytes.get()).isLessThanOrEqualTo(4L * BLOCK);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, BLOCK, BLOCK + 1, 8192})
  void carrierKeepsNoMoreThanItsBlocksWhereverArenasAreClosed(int byteSize) throws Exception {
    for (int round = 0; round < 3; round++) {
      CountDownLatch opened = new CountDownLatch(1000);
      CountDownLatch close = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        threads.add(Thread.startVirtualThread(() -> waitInArena(byteSize, opened, close)));
      }
      opened.await();
      long kept = bytesKept();
      assertThat(ofBlocks.bytes.get()).isLessThanOrEqualTo(1000L * BLOCK + kept);
      close.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      kept = bytesKept();
      assertThat(ofBlocks.bytes.get()).as("none is lost").isEqualTo(kept);
      int carriers = shared.memory().statistics(shared.state()).threads();
      int stripes = shared.memory().striped.count();
      assertThat(kept).isLessThanOrEqualTo((carriers * 4L + stripes) * BLOCK);
    }
  }

  private void waitInArena(int byteSize, CountDownLatch opened, CountDownLatch close) {
    try (Arena arena = pool.open()) {
      arena.allocate(byteSize);
      opened.countDown();
      close.await();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  private long bytesKept() {
    return shared.memory().statistics(shared.state()).bytesKept();
  }

  /** Nested, of sizes that need a new block, a kept one, or the JDK. */
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

  @Test
  void poolTakesNoMoreThanItsShareAndTheSiteHoldsTheRest() {
    for (int blocks : new int[] {2, 2, 4}) {
      ofBlocks.limit = (long) blocks * BLOCK;
      List<Arena> open = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        open.add(pool.open());
        assertThat(open.getLast().allocate(100).byteSize()).isEqualTo(100);
      }
      assertThat(ofSite.bytes.get()).isEqualTo((4 - blocks) * 100);
      open.forEach(Arena::close);
      assertThat(ofSite.bytes.get()).isZero();
      assertThat(ofBlocks.bytes.get()).isEqualTo(blocks * BLOCK);
    }
  }

  @Test
  void whatDoesNotFitTheBlocksIsHeldByTheSiteUntilTheArenaIsClosed() {
    ofSite.limit = 250_000;
    try (Arena arena = pool.open()) {
      arena.allocate(BLOCK);
      assertThat(ofSite.bytes.get()).isZero();
      arena.allocate(100_000);
      assertThatThrownBy(() -> arena.allocate(150_001)).isInstanceOf(OutOfMemoryError.class);
      arena.allocate(100_000, 64);
      assertThat(ofSite.bytes.get()).isEqualTo(200_048);
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
