package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The limits of the memory that is kept of closed arenas. */
class QuarantineTest {
  private static final long GUARDS = 2 * GuardedBlock.GUARD_BYTE_SIZE;

  private static void closeOne(Quarantine quarantine, long byteSize) {
    try (Arena arena = new CheckedArena(quarantine)) {
      MemorySegment memory = arena.allocate(byteSize);
      for (byte each : memory.toArray(ValueLayout.JAVA_BYTE)) {
        if (each != 0) {
          throw new AssertionError("not zero: " + memory);
        }
      }
      memory.fill((byte) 1);
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
    closeOne(quarantine, 1000 - GUARDS);
    assertThat(quarantine.blocks()).as("the last takes all").isEqualTo(1);
  }

  @Test
  void keepsNoneThatExceedsTheLimitAloneAndGivesUpNoOtherForIt() {
    Quarantine quarantine = new Quarantine(1000, 100);
    closeOne(quarantine, 8);
    closeOne(quarantine, 1001 - GUARDS);
    assertThat(quarantine.blocks()).isEqualTo(1);
  }

  @Test
  void findsNothingWithManyThreads() throws Exception {
    Quarantine quarantine = new Quarantine(100_000, 50);
    List<Future<?>> closing = new ArrayList<>();
    try (ExecutorService platform = Executors.newFixedThreadPool(4);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        closing.add((i % 2 == 0 ? platform : virtual).submit(() -> closeMany(quarantine)));
      }
    }
    for (Future<?> each : closing) {
      each.get();
    }
    assertThat(quarantine.blocks()).isBetween(1, 50);
    quarantine.verifyAll();
    assertThat(quarantine.lateWrites() + quarantine.overruns()).isZero();
  }

  private static void closeMany(Quarantine quarantine) {
    for (int i = 0; i < 5_000; i++) {
      closeOne(quarantine, i % 3_000);
    }
  }
}
