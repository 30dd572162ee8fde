package dev.rockpool.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** The checks at the end can fail, too. */
class BalanceTest {
  private final ArenaPool pool = ArenaPool.builder().blockByteSize(64).build();

  @Test
  void arenaThatIsNotCountedIsNoticed() {
    try (Arena arena = pool.take()) {
      arena.allocate(1);
    }
    assertThat(Balance.check(pool, 1).arenasClosed()).isEqualTo(1);
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> Balance.check(pool, 2))
        .withMessageStartingWith("A pool must count each arena that used a block, once: closed=2");
  }

  @Test
  void blockThatIsNotZeroIsNoticed() {
    long address;
    try (Arena arena = pool.take()) {
      address = arena.allocate(1).address();
    }
    MemorySegment stale = NativeMemory.slice(address, 1);
    stale.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> PoolAudit.checkAtRest(pool))
        .withMessageStartingWith("first block");
    stale.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
    PoolAudit.checkAtRest(pool);
  }

  @Test
  void walksCountWhatTheyClose() {
    long closed = new Walk(pool, new Checker(), Owner.Kind.THREAD_WITH_OWN_POOL).run(2_000);
    assertThat(closed).isPositive();
    Balance.check(pool, closed);
    PoolAudit.checkAtRest(pool);
  }
}
