package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The limits of the memory that is kept of closed arenas. */
class QuarantineTest {
  private static final long GUARDS = 2 * GuardedBlock.GUARD_BYTE_SIZE;

  private static void closeOne(Quarantine quarantine, long byteSize) {
    try (Arena arena = new CheckedArena(quarantine)) {
      ArenaContract.allocateFilled(arena, byteSize, 1);
    }
  }

  @Test
  void keepsAtMostSoManyBlocks() {
    Quarantine quarantine = new Quarantine(1 << 20, 3);
    for (int i = 1; i <= 10; i++) {
      closeOne(quarantine, 8);
      assertThat(quarantine.blocks()).isEqualTo(Math.min(i, 3));
    }
    quarantine.verifyAll();
    assertThat(quarantine.blocks()).isZero();
  }

  @Test
  void keepsAtMostSoManyBytes() {
    Quarantine quarantine = new Quarantine(1000, 100);
    for (int i = 1; i <= 6; i++) {
      closeOne(quarantine, 250 - GUARDS);
      assertThat(quarantine.blocks()).isEqualTo(Math.min(i, 4));
    }
    closeOne(quarantine, 251 - GUARDS);
    assertThat(quarantine.blocks()).as("two leave, for one byte more").isEqualTo(3);
    closeOne(quarantine, 1001 - GUARDS);
    assertThat(quarantine.blocks()).as("too large to be kept").isEqualTo(3);
    closeOne(quarantine, 1000 - GUARDS);
    assertThat(quarantine.blocks()).as("the last takes all").isEqualTo(1);
  }

  @Test
  void findsNothingWithManyThreads() throws Exception {
    Quarantine quarantine = new Quarantine(100_000, 50);
    Callable<Integer> task = () -> closeMany(quarantine);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Integer> each : threads.invokeAll(Collections.nCopies(8, task))) {
        assertThat(each.get()).isPositive();
      }
    }
    assertThat(quarantine.blocks()).isBetween(1, 50);
    quarantine.verifyAll();
    assertThat(quarantine.lateWrites() + quarantine.overruns()).isZero();
  }

  private static int closeMany(Quarantine quarantine) {
    int count = 0;
    while (count < 5_000) {
      closeOne(quarantine, count++ % 3_000);
    }
    return count;
  }
}
