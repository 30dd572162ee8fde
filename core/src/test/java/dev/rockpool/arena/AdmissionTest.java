package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The arenas that the JDK serves, as the pool can't win. */
class AdmissionTest {
  private static final int FIRST = 3;

  private final Pool pool = Pool.of(512, 7, 0, FIRST);

  private void useArenas(int count) {
    useArenas(pool, count);
  }

  private static void useArenas(Pool pool, int count) {
    for (int i = 0; i < count; i++) {
      try (Arena arena = pool.open()) {
        arena.allocate(8);
      }
    }
  }

  private static void onNewThread(Runnable action) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(action);
    thread.join();
  }

  @Test
  void firstArenasOfEachThreadAreTheJdks() throws Exception {
    for (int threads = 1; threads <= 3; threads++) {
      onNewThread(() -> useArenas(FIRST));
      assertThat(pool.counts().served).isZero();
      assertThat(pool.byteSize()).isZero();
      assertThat(pool.counts().firstOfThread).isEqualTo(FIRST * threads);
    }
  }

  @Test
  void thoseThatFollowArePooled() throws Exception {
    onNewThread(() -> useArenas(FIRST + 5));
    assertThat(pool.counts().served).isEqualTo(5);
    assertThat(pool.counts().firstOfThread).isEqualTo(FIRST);
    pool.checkInvariants();
  }

  @Test
  void allocationsOfOneArenaCountOnce() throws Exception {
    onNewThread(
        () -> {
          try (Arena arena = pool.open()) {
            for (int i = 0; i < FIRST; i++) {
              arena.allocate(8);
            }
          }
        });
    assertThat(pool.counts().firstOfThread).isEqualTo(1);
  }

  @Test
  void anArenaThatFindsNoSlabLaterIsNotAmongTheFirst() throws Exception {
    onNewThread(
        () -> {
          try (Arena first = pool.open()) {
            first.allocate(8);
            useArenas(FIRST - 1);
            Arena[] open = new Arena[8];
            for (int i = 0; i < open.length; i++) {
              open[i] = pool.open();
              open[i].allocate(8);
            }
            for (Arena each : open) {
              each.close();
            }
          }
        });
    assertThat(pool.counts().firstOfThread).isEqualTo(FIRST);
    assertThat(pool.counts().served).isEqualTo(7);
    assertThat(pool.counts().noneLeft).isEqualTo(1);
  }

  @Test
  void withoutSuchASettingTheFirstIsPooled() {
    assertThat(new Admission(0).isAmongFirst(Thread.currentThread().threadId())).isFalse();
  }

  @Test
  void firstLargeArenasAreTheJdksToo() throws Exception {
    for (long byteSize : new long[] {600, 5000}) {
      onNewThread(
          () -> {
            try (Arena arena = pool.open()) {
              arena.allocate(byteSize);
            }
          });
    }
    assertThat(pool.byteSize()).isZero();
    assertThat(pool.counts().firstOfThread).isEqualTo(2);
  }

  /** Ids that fall on one element of the counts, and of the cache of slabs. */
  @Test
  void threadsThatTakeTurnsGetSlabsAndKeepThem() throws Exception {
    List<SteppedThread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        threads.add(SteppedThread.start(threads.isEmpty() ? -1 : threads.getFirst().id()));
      }
      for (int turn = 0; turn < 300; turn++) {
        for (SteppedThread thread : threads) {
          thread.run(() -> useArenas(1));
        }
      }
      long served = pool.counts().served;
      for (SteppedThread thread : threads) {
        thread.run(() -> useArenas(1));
      }
      assertThat(pool.counts().served - served).isEqualTo(threads.size());
    } finally {
      threads.forEach(SteppedThread::end);
    }
  }

  /** A platform thread that does one thing after the other. */
  private record SteppedThread(ExecutorService executor, long id) {
    /** Its id is that of another modulo 1024; ids are given one after the other. */
    static SteppedThread start(long like) throws Exception {
      while (true) {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        long id = executor.submit(() -> Thread.currentThread().threadId()).get();
        if (like < 0 || (id - like) % 1024 == 0) {
          return new SteppedThread(executor, id);
        }
        executor.shutdown();
      }
    }

    void run(Runnable action) throws Exception {
      executor.submit(action).get();
    }

    void end() {
      executor.shutdown();
    }
  }

  private void useArenasBeside(int open, int count) {
    useArenasBeside(pool, open, count);
  }

  /** Opens arenas beside so many open ones of a virtual thread, which leave no slab. */
  private static void useArenasBeside(Pool pool, int open, int count) {
    Arena[] waiting = new Arena[open];
    for (int i = 0; i < open; i++) {
      waiting[i] = pool.open();
      waiting[i].allocate(8);
    }
    useArenas(pool, count);
    for (Arena each : waiting) {
      each.close();
    }
  }

  private static void onVirtualThread(Runnable action) throws InterruptedException {
    Thread thread = Thread.startVirtualThread(action);
    thread.join();
  }

  /** Fewer arenas than take all votes, however long they take. */
  @Test
  void aBurstOfVirtualThreadsThatFindNoSlabChangesNothing() throws Exception {
    onVirtualThread(() -> useArenasBeside(20, 7_000));
    assertThat(pool.admission().leavesVirtualThreads).isFalse();
  }

  @Test
  void arenasOfVirtualThreadsThatFindNoSlabBecomeTheJdks() throws Exception {
    for (int i = 0; i < 20_000 && !pool.admission().leavesVirtualThreads; i++) {
      onVirtualThread(() -> useArenasBeside(20, 2000));
    }
    assertThat(pool.admission().leavesVirtualThreads).isTrue();
    onVirtualThread(
        () -> {
          try (Arena arena = pool.open()) {
            assertThat(arena).isNotInstanceOf(PooledArena.class);
          }
        });
    onNewThread(() -> useArenas(FIRST + 5));
    assertThat(pool.counts().served).isPositive();
    pool.checkInvariants();
  }

  @Test
  void arenasThatPlatformThreadsGetMeanwhileDoNotCount() throws Exception {
    AtomicBoolean left = new AtomicBoolean();
    Thread served =
        new Thread(
            () -> {
              while (!left.get()) {
                useArenas(100);
              }
            });
    served.start();
    for (int i = 0; i < 20_000 && !pool.admission().leavesVirtualThreads; i++) {
      onVirtualThread(() -> useArenasBeside(20, 2000));
    }
    left.set(true);
    served.join();
    assertThat(pool.admission().leavesVirtualThreads).isTrue();
  }

  /** A third finds none, for longer than all votes take. */
  @Test
  void arenasOfVirtualThreadsStayPooledIfMostFindASlab() throws Exception {
    Pool shared = Pool.of(512, 7, 16, 0);
    long start = System.nanoTime();
    while (System.nanoTime() - start < 2 * Admission.VOTES * Admission.VOTE_NANOS
        || shared.counts().noneLeft < 2 * Admission.VOTES * Admission.PERIOD) {
      onVirtualThread(
          () -> {
            useArenasBeside(shared, 40, 100);
            useArenas(shared, 220);
          });
    }
    assertThat(shared.admission().leavesVirtualThreads).isFalse();
    assertThat(shared.counts().served).isGreaterThan(shared.counts().noneLeft);
  }

  /** Left out, they made many virtual threads seem refused, and all were left to the JDK. */
  @Test
  void arenasOfVirtualThreadsCountAsServedWhereverTheyAre() throws Exception {
    Pool shared = Pool.of(512, 7, 16);
    Runnable large =
        () -> {
          try (Arena arena = shared.open()) {
            arena.allocate(4096);
          }
        };
    onNewThread(large);
    assertThat(shared.servedOnVirtualThreads()).isZero();
    Thread.ofVirtual().start(large).join();
    assertThat(shared.servedOnVirtualThreads()).isEqualTo(1);
    shared.others().addServed(1); // closed on another carrier
    assertThat(shared.servedOnVirtualThreads()).isEqualTo(2);
    assertThat(shared.counts().served).isEqualTo(3);
  }
}
