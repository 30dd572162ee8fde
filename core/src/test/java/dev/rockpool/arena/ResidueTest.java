package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that was written is seen by the next arena, nor stays in a kept block. */
@ParameterizedClass(name = "blocks of {0} bytes")
@ValueSource(ints = {64, 512, 8192})
@SuppressWarnings("restricted")
class ResidueTest {
  private static final int[] ALIGNMENTS = {1, 2, 4, 8, 16, 32, 64, 128};

  @Parameter int blockByteSize;

  private BlockPool pool;

  @BeforeEach
  void makePool() {
    // A single block, so that each arena gets the one of the arena before.
    pool = BlockPool.of(blockByteSize, 1);
  }

  @AfterEach
  void freePool() {
    pool.memory().checkInvariants();
    pool.memory().freeAll();
    assertThat(pool.memory().statistics(pool.state()).bytesKept()).isZero();
  }

  private interface Use {
    void of(Arena arena) throws Throwable;
  }

  /** Fails unless the next arena sees zeros only, in all of the block and in a larger one. */
  private void assertNothingLeftBy(String what, Use use) throws Throwable {
    try (Arena arena = pool.open()) {
      use.of(arena);
    }
    assertClean(what);
  }

  private void assertClean(String what) {
    try (Arena arena = pool.open()) {
      assertZero(what, arena.allocate(blockByteSize));
      assertZero(what, arena.allocate(pool.largeByteSize()));
    }
  }

  private static void assertZero(String what, MemorySegment memory) {
    long dirty = memory.mismatch(MemorySegment.ofArray(new byte[(int) memory.byteSize()]));
    if (dirty != -1) {
      assertThat(dirty).as("first byte that is not zero after %s", what).isEqualTo(-1);
    }
  }

  @Test
  void noneIsLeftByOneAllocationOfAnySizeAndAlignment() throws Throwable {
    for (int byteSize = 0; byteSize <= blockByteSize + 1; byteSize++) {
      int size = byteSize;
      for (int alignment : ALIGNMENTS) {
        assertNothingLeftBy(
            size + " bytes aligned to " + alignment,
            arena -> arena.allocate(size, alignment).fill((byte) (size | 1)));
      }
    }
  }

  @Test
  void noneIsLeftOfASingleByteAnywhere() throws Throwable {
    for (int byteSize = 1; byteSize <= blockByteSize; byteSize++) {
      int last = byteSize - 1;
      assertNothingLeftBy(
          "byte " + last,
          arena -> arena.allocate(blockByteSize).set(ValueLayout.JAVA_BYTE, last, (byte) 1));
      assertNothingLeftBy(
          "last of " + byteSize,
          arena -> arena.allocate(last + 1).set(ValueLayout.JAVA_BYTE, last, (byte) 0x80));
    }
  }

  @Test
  void noneIsLeftByStringsArraysNativeCodeAndCleanupActions() throws Throwable {
    for (int length = 1; length <= blockByteSize; length++) {
      int size = length;
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) -1);
      assertNothingLeftBy("string", arena -> arena.allocateFrom("x".repeat(size)));
      assertNothingLeftBy("memset", arena -> LibC.memset(arena.allocate(size), -1));
      assertNothingLeftBy(
          "array of " + size,
          arena -> {
            arena.allocateFrom(ValueLayout.JAVA_LONG, -1);
            arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) -1);
          });
      assertNothingLeftBy(
          "action on " + size,
          arena -> arena.allocate(size).reinterpret(arena, memory -> memory.fill((byte) -1)));
      Arena throwing = pool.open();
      ArenaContract.onClose(throwing, _ -> throwing.allocate(1)); // which is refused
      throwing.allocate(size).fill((byte) -1);
      throwing.allocate(20).fill((byte) -1);
      assertThatThrownBy(throwing::close).isInstanceOf(IllegalStateException.class);
      assertClean("throwing action, after " + size);
    }
  }
}
