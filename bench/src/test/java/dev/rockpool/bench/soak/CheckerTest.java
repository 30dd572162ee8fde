package dev.rockpool.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The soak notices each kind of violation, and says what, where, and whose. */
class CheckerTest {
  private static final Owner ONE = new Owner(17, 4);
  private static final Owner OTHER = new Owner(3, 1_000_000);

  private final Checker checker = new Checker();
  private final MemorySegment memory = Arena.ofAuto().allocate(256, 64);

  private static void assertViolation(ThrowingCallable use, String... parts) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(use)
        .satisfies(violation -> assertThat(violation.getMessage()).contains(parts));
  }

  private String hex(long offset) {
    return "0x" + Long.toHexString(memory.address() + offset);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 64, 0, 64, the same",
    "0, 64, 32, 16, within",
    "32, 16, 0, 64, around",
    "0, 64, 63, 64, at its end",
    "64, 64, 0, 65, at its start",
    "64, 0, 0, 256, around nothing"
  })
  void memoryWithTwoOwnersIsNoticed(long start, long size, long otherStart, long otherSize) {
    checker.take(memory.asSlice(start, size), ONE);
    MemorySegment overlapping = memory.asSlice(otherStart, otherSize);
    assertViolation(
        () -> checker.takeFilled(overlapping, OTHER),
        "Memory has two owners: " + hex(otherStart) + " to ",
        "of arena 1000000 of thread 3, and " + hex(start) + " to ",
        "of arena 4 of thread 17");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8, 62})
  void memoryThatIsNotZeroIsNoticed(long offset) {
    MemorySegment dirty = memory.asSlice(0, 63);
    dirty.set(ValueLayout.JAVA_BYTE, offset, (byte) 1);
    assertViolation(
        () -> checker.take(dirty, ONE),
        "Memory must be zero when it is handed out: byte " + offset + " of 63 at " + hex(0),
        "handed to arena 4 of thread 17");
  }

  @Test
  void whoWritesIntoMemoryOfOthersIsNamed() {
    Checker.Block block = checker.take(memory, ONE);
    Checker.mark(memory.asSlice(64, 8), OTHER);
    assertViolation(
        () -> checker.giveBack(block),
        "Memory in use must stay as it is: byte 64 of 256",
        "the mark of arena 1000000 of thread 3, in use by arena 4 of thread 17");
  }

  @Test
  void neighboursAndSuccessorsAreFine() {
    Checker.Block first = checker.take(memory.asSlice(0, 100), ONE);
    Checker.Block second = checker.take(memory.asSlice(100, 100), OTHER);
    assertThat(checker.size()).isEqualTo(2);
    checker.giveBack(first);
    checker.giveBack(second);
    assertThat(checker.size()).isZero();
    memory.fill((byte) 0);
    checker.giveBack(checker.take(memory, ONE));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "268435455, 268435455", "12345678, 200000000"})
  void marksHaveNoZeroByteAndNameTheOwner(int thread, int arena) {
    Owner owner = new Owner(thread, arena);
    assertThat(Owner.ofMark(owner.mark())).contains(owner);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      assertThat((byte) (owner.mark() >>> shift)).isNotZero();
    }
    assertThat(Owner.ofMark(0x0102030405060708L)).isEmpty();
  }

  @Test
  void keptBlockThatIsNotZeroAndArenaThatIsNotCountedAreNoticed() {
    ArenaPool pool = ArenaPool.builder().blockByteSize(64).build();
    long address;
    try (Arena arena = pool.take()) {
      address = arena.allocate(1).address();
    }
    Soak.requireRest(pool, 1);
    assertViolation(
        () -> Soak.requireRest(pool, 2),
        "A pool must count each arena that used a block, once: closed=2");
    MemorySegment stale = NativeMemory.slice(address, 1);
    stale.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    assertViolation(() -> PoolAudit.checkAtRest(pool), "first block");
    stale.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
  }

  @Test
  void walksCountTheArenasThatTheyClose() {
    ArenaPool pool = ArenaPool.builder().blockByteSize(64).build();
    long closed = new Walk(pool, checker).run(2_000);
    assertThat(closed).isPositive();
    Soak.requireRest(pool, closed);
  }
}
