package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of the memory that is kept of closed arenas. */
class QuarantineTest {
  private static final long GUARDS = 2 * GuardedBlock.GUARD_BYTE_SIZE;

  private static void closeOne(Quarantine quarantine, long byteSize) {
    try (Arena arena = new CheckedArena(quarantine)) {
      arena.allocate(byteSize);
    }
  }

  @Test
  void keepsAtMostSoManyBlocks() {
    Quarantine quarantine = new Quarantine(1 << 20, 3);
    for (int i = 1; i <= 10; i++) {
      closeOne(quarantine, 8);
      assertThat(quarantine.blocks()).isEqualTo(Math.min(i, 3));
      assertThat(quarantine.bytes()).isEqualTo(Math.min(i, 3) * (8 + GUARDS));
    }
  }

  @Test
  void keepsAtMostSoManyBytes() {
    Quarantine quarantine = new Quarantine(1000, 100);
    for (long byteSize : new long[] {8, 100, 300, 8, 8, 500, 0, 872}) {
      closeOne(quarantine, byteSize);
      assertThat(quarantine.bytes()).isBetween(byteSize + GUARDS, 1000L);
    }
    assertThat(quarantine.blocks()).as("the last takes all").isEqualTo(1);
  }

  @Test
  void keepsNoneThatIsLargerThanAllMayBeAndGivesUpNoOtherForIt() {
    Quarantine quarantine = new Quarantine(1000, 100);
    closeOne(quarantine, 8);
    closeOne(quarantine, 1000);
    assertThat(quarantine.bytes()).isEqualTo(8 + GUARDS);
  }

  @Test
  void isEmptyAfterAllWasVerified() {
    Quarantine quarantine = new Quarantine(1000, 100);
    closeOne(quarantine, 8);
    quarantine.verifyAll();
    assertThat(quarantine.bytes()).isZero();
    assertThat(quarantine.blocks()).isZero();
    closeOne(quarantine, 8);
    assertThat(quarantine.blocks()).isEqualTo(1);
  }

  @Test
  void keepsTheBoundsWithManyThreadsAndFindsNothing() throws Exception {
    Quarantine quarantine = new Quarantine(100_000, 50);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ThreadKind kind = ThreadKind.values()[i % 2];
      threads.add(
          kind.start(
              () -> {
                for (int n = 0; n < 5_000; n++) {
                  closeOne(quarantine, n % 3_000);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(quarantine.bytes()).isBetween(1L, 100_000L);
    assertThat(quarantine.blocks()).isBetween(1, 50);
    quarantine.verifyAll();
    assertThat(quarantine.lateWrites() + quarantine.overruns()).isZero();
    assertThat(quarantine.bytes()).isZero();
  }
}
