package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that was written is seen by the next arena, nor stays in a kept block. */
@ParameterizedClass(name = "blocks of {0} bytes")
@ValueSource(ints = {64, 512, 4096})
@SuppressWarnings("restricted")
class ResidueTest {
  private final int blockByteSize;
  private final BlockPool pool;

  ResidueTest(int blockByteSize) {
    this.blockByteSize = blockByteSize;
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
    void of(Arena arena);
  }

  /** Fails unless the next arena sees zeros only, in all of the block and beyond it. */
  private void assertNothingLeftBy(String what, Use use) {
    try (Arena arena = pool.open()) {
      use.of(arena);
    }
    assertClean(what);
  }

  private void assertClean(String what) {
    try (Arena arena = pool.open()) {
      for (int byteSize = blockByteSize; byteSize <= 2 * blockByteSize; byteSize *= 2) {
        long dirty = arena.allocate(byteSize).mismatch(MemorySegment.ofArray(new byte[byteSize]));
        if (dirty != -1) {
          assertThat(dirty).as("first byte that is not zero after %s", what).isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void noneIsLeftByOneAllocationOfAnySizeAndAlignment() {
    for (int byteSize = 0; byteSize <= blockByteSize + 1; byteSize++) {
      int size = byteSize;
      for (int alignment = 1; alignment <= 128; alignment *= 2) {
        int align = alignment;
        assertNothingLeftBy(
            size + " bytes aligned to " + align,
            arena -> arena.allocate(size, align).fill((byte) (size | 1)));
      }
    }
  }

  @Test
  void noneIsLeftOfASingleByteAnywhere() {
    for (int i = 0; i < blockByteSize; i++) {
      int offset = i;
      assertNothingLeftBy(
          "byte " + i, arena -> arena.allocate(blockByteSize).set(JAVA_BYTE, offset, (byte) 1));
    }
  }

  @Test
  void noneIsLeftByStringsArraysAndCleanupActions() {
    for (int length = 1; length <= blockByteSize; length++) {
      int size = length;
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) -1);
      assertNothingLeftBy("string", arena -> arena.allocateFrom("x".repeat(size)));
      assertNothingLeftBy(
          "array of " + size,
          arena -> {
            arena.allocateFrom(JAVA_LONG, -1);
            arena.allocateFrom(JAVA_BYTE, bytes);
            arena.allocateFrom(JAVA_SHORT, (short) -1);
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
