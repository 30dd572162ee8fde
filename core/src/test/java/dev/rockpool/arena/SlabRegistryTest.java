package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.ThreadSlabs.Run;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The slabs of ended threads go to new ones, but for those that an open arena still owns. */
class SlabRegistryTest {
  private static final int SLAB = 64;

  private final Pool pool = Pool.of(SLAB, 3, 0);

  @AfterEach
  void checkAndFree() {
    pool.registry().checkInvariants();
    pool.registry().freeAll();
  }

  /** Uses all slabs at once, leaves its mark, and closes everything. */
  private static void useAll(Pool pool) {
    List<Arena> open = new ArrayList<>();
    for (int i = 0; i < pool.registry().slabsPerThread(); i++) {
      Arena arena = pool.open();
      open.add(arena);
      MemorySegment memory = arena.allocate(SLAB);
      for (long offset = 0; offset < SLAB; offset += Long.BYTES) {
        assertThat(memory.get(ValueLayout.JAVA_LONG, offset)).as("at %s", offset).isZero();
      }
      memory.fill((byte) -1);
    }
    open.forEach(Arena::close);
  }

  private static Void useAllOn(ThreadKind kind, Pool pool) throws Exception {
    return kind.call(
        () -> {
          useAll(pool);
          return null;
        });
  }

  @Test
  void threadsOneAfterAnotherShareTheMemoryOfOne() throws Exception {
    for (int i = 0; i < 3_000; i++) {
      useAllOn(ThreadKind.PLATFORM, pool);
    }
    assertThat(pool.registry().threads()).isEqualTo(1);
    assertThat(pool.registry().owned()).isZero();
  }

  @Test
  void memoryIsBoundedByThreadsAliveAtOnce() throws Exception {
    int alive = 20;
    CountDownLatch used = new CountDownLatch(alive);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < alive; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    useAll(pool);
                    used.countDown();
                    awaitUninterruptibly(end);
                  }));
    }
    used.await();
    int most = 0;
    for (int i = 0; i < 1_000; i++) {
      useAllOn(ThreadKind.PLATFORM, pool);
      most = Math.max(most, pool.registry().threads());
    }
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most)
        .as("known threads while %s were alive", alive)
        .isBetween(alive + 1, (alive + 1) * 4 / 3);
  }

  @Test
  void slabsOfALiveThreadAreLeftToIt() throws Exception {
    CountDownLatch used = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Set<Long> addresses = new HashSet<>();
    Thread alive =
        Thread.ofPlatform()
            .start(
                () -> {
                  addresses.add(pool.slabsOf(Thread.currentThread()).address(Run.of(0, 1)));
                  used.countDown();
                  awaitUninterruptibly(end);
                  addresses.add(pool.slabsOf(Thread.currentThread()).address(Run.of(0, 1)));
                });
    used.await();
    long other =
        ThreadKind.PLATFORM.call(() -> pool.slabsOf(Thread.currentThread()).address(Run.of(0, 1)));
    end.countDown();
    alive.join();
    assertThat(addresses).hasSize(1).doesNotContain(other);
    assertThat(pool.registry().threads()).isEqualTo(2);
  }

  @Test
  void slabsThatAnEndedThreadAbandonedAreFreed() throws Exception {
    abandonAll();
    pool.registry().returnAbandoned();
    pool.registry().sweep();
    assertThat(pool.registry().owned()).as("after one look").isEqualTo(3);
    pool.registry().returnAbandoned();
    pool.registry().sweep();
    assertThat(pool.registry().byteSize()).isZero();

    abandonAll();
    pool.registry().freeAll();
    assertThat(pool.registry().byteSize()).as("of an unreachable pool").isZero();
  }

  private void abandonAll() throws Exception {
    ThreadSlabs abandoned =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadSlabs slabs = pool.slabsOf(Thread.currentThread());
              slabs.acquire(3);
              return slabs;
            });
    Arena closed = Arena.ofConfined();
    closed.close();
    Arrays.fill(abandoned.abandonedBy, closed);
  }

  @Test
  void slabOfAnArenaNeverClosedIsNotHandedOver() throws Exception {
    MemorySegment lost =
        ThreadKind.PLATFORM.call(
            () -> {
              pool.open().allocate(SLAB);
              Arena closed = pool.open();
              closed.allocate(SLAB);
              MemorySegment memory = pool.open().allocate(SLAB).fill((byte) 7);
              closed.close();
              return memory;
            });
    assertThat(pool.registry().owned()).isEqualTo(2);

    long[] heirs =
        ThreadKind.PLATFORM.call(
            () -> {
              long[] addresses = new long[3];
              for (int i = 0; i < 3; i++) {
                MemorySegment memory = pool.open().allocate(SLAB).fill((byte) -1);
                addresses[i] = memory.address();
              }
              return addresses;
            });

    assertThat(pool.registry().owned()).as("two lost and one more").isEqualTo(3);
    assertThat(heirs[0]).as("the slab between").isEqualTo(lost.address() - SLAB);
    assertThat(heirs).doesNotContain(lost.address());
    assertThat(LibC.peek(lost.address(), SLAB)).as("memory of the lost arena").containsOnly(7);
  }

  @Test
  void threadAllOfWhoseSlabsAreLostIsForgottenWithoutFreeingThem() throws Exception {
    List<MemorySegment> lost = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ThreadKind.PLATFORM.call(
          () -> {
            for (int slab = 0; slab < 3; slab++) {
              lost.add(pool.open().allocate(SLAB).fill((byte) lost.size()));
            }
            return null;
          });
    }
    assertThat(pool.registry().threads()).isLessThanOrEqualTo(2);
    for (int i = 0; i < lost.size(); i++) {
      assertThat(LibC.peek(lost.get(i).address(), SLAB)).as("arena %s", i).containsOnly(i);
    }
    for (int i = 0; i < lost.size(); i += 3) {
      assertThat(lost.get(i + 2).address())
          .as("thread %s was served from slabs of its own", i / 3)
          .isEqualTo(lost.get(i).address() + 2 * SLAB);
    }
    assertThat(lost.stream().map(MemorySegment::address).distinct()).hasSameSizeAs(lost);
  }

  @Test
  void aThreadThatAlreadyHasSlabsTakesOverNoMore() throws Exception {
    useAll(pool);
    useAllOn(ThreadKind.PLATFORM, pool);
    assertThat(pool.registry().threads()).isEqualTo(2);
    ThreadSlabs mine = pool.slabsOf(Thread.currentThread());
    for (int i = 0; i < 10; i++) {
      useAll(pool);
      assertThat(pool.slabsOf(Thread.currentThread())).isSameAs(mine);
      assertThat(pool.registry().slabsOf(Thread.currentThread())).isSameAs(mine);
    }
    assertThat(pool.registry().threads()).isEqualTo(2);
  }

  @Test
  void virtualThreadsHaveNoEntryOfTheirOwn() throws Exception {
    for (int i = 0; i < 100; i++) {
      useAllOn(ThreadKind.VIRTUAL, pool);
    }
    assertThat(pool.registry().threads()).as("carriers at most").isLessThan(100);
    if (!Carrier.isReachable()) {
      assertThat(pool.registry().threads()).isZero();
    }
  }

  @Test
  void endedThreadIsNotKeptReachable() throws Exception {
    WeakReference<Thread> ended =
        ThreadKind.PLATFORM.call(
            () -> {
              useAll(pool);
              return new WeakReference<>(Thread.currentThread());
            });
    Collected.await("the ended thread", () -> ended.refersTo(null));
    assertThat(pool.registry().threads()).isEqualTo(1);

    useAllOn(ThreadKind.PLATFORM, pool);
    assertThat(pool.registry().threads()).as("taken over all the same").isEqualTo(1);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException nobodyDoesThat) {
      throw new AssertionError(nobodyDoesThat);
    }
  }

  /** Else many threads, which do not all fit the cache in front of this, wait for each other. */
  @Test
  void slabsThatAreThereAreFoundWithoutTheLock() throws Exception {
    SlabRegistry registry = pool.registry();
    ThreadSlabs known = registry.slabsOf(Thread.currentThread());
    List<ThreadSlabs> found = new ArrayList<>();
    Thread current = Thread.currentThread();
    Thread other = Thread.ofPlatform().unstarted(() -> found.add(registry.slabsOf(current)));
    synchronized (registry) {
      other.start();
      assertThat(other.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(found).containsExactly(known);
  }
}
