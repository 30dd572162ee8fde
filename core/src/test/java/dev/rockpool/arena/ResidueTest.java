package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that was written is seen by the next arena, nor stays in a slab that is free. */
@ParameterizedClass(name = "slabs of {0} bytes")
@ValueSource(ints = {64, 512, 4096, 16384})
@SuppressWarnings("restricted")
class ResidueTest {
  private static final int[] ALIGNMENTS = {1, 2, 4, 8, 16, 32, 64, 128};

  @Parameter int slabByteSize;

  private Pool pool;
  private byte[] zeros;

  @BeforeEach
  void makePool() {
    // A single slab, so that each arena gets the one of the arena before.
    pool = Pool.of(slabByteSize, 1, 0);
    zeros = new byte[slabByteSize];
  }

  @AfterEach
  void freePool() {
    pool.registry().checkInvariants();
    pool.registry().freeAll();
    assertThat(pool.registry().threads()).isZero();
  }

  @Test
  void noneIsLeftByOneAllocationOfAnySizeAndAlignment() {
    for (int byteSize = 0; byteSize <= slabByteSize + 1; byteSize++) {
      for (int alignment : ALIGNMENTS) {
        try (Arena arena = pool.open()) {
          arena.allocate(byteSize, alignment).fill((byte) (byteSize | 1));
        }
        assertClean(byteSize + " bytes aligned to " + alignment);
      }
    }
  }

  @Test
  void noneIsLeftOfASingleByteAnywhere() {
    for (int offset = 0; offset < slabByteSize; offset++) {
      try (Arena arena = pool.open()) {
        arena.allocate(slabByteSize).set(ValueLayout.JAVA_BYTE, offset, (byte) 1);
      }
      assertClean("byte " + offset);
    }
  }

  @Test
  void noneIsLeftOfTheLastByteOfAnySize() {
    for (int byteSize = 1; byteSize <= slabByteSize; byteSize++) {
      try (Arena arena = pool.open()) {
        arena.allocate(byteSize).set(ValueLayout.JAVA_BYTE, byteSize - 1, (byte) 0x80);
      }
      assertClean("last of " + byteSize + " bytes");
    }
  }

  @Test
  void noneIsLeftByManyAllocationsOfOneArena() {
    Random random = new Random(slabByteSize);
    for (int round = 0; round < 20_000; round++) {
      try (Arena arena = pool.open()) {
        for (int left = random.nextInt(12); left > 0; left--) {
          int byteSize = random.nextInt(random.nextBoolean() ? 40 : slabByteSize);
          int alignment = ALIGNMENTS[random.nextInt(ALIGNMENTS.length)];
          MemorySegment memory = arena.allocate(byteSize, alignment);
          assertZero("allocation in round " + round, memory);
          memory.fill((byte) random.nextInt());
        }
      }
      assertClean("round " + round);
    }
  }

  @Test
  void noneIsLeftByStringsArraysAndValues() {
    for (int length = 0; length <= slabByteSize; length++) {
      try (Arena arena = pool.open()) {
        arena.allocateFrom("x".repeat(length));
      }
      assertClean("string of " + length);
      byte[] bytes = new byte[length];
      Arrays.fill(bytes, (byte) -1);
      try (Arena arena = pool.open()) {
        arena.allocateFrom(ValueLayout.JAVA_LONG, -1);
        arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
        arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) -1);
      }
      assertClean("array of " + length);
    }
  }

  @Test
  void noneIsLeftByNativeCode() throws Throwable {
    for (int byteSize = 1; byteSize <= slabByteSize; byteSize++) {
      try (Arena arena = pool.open()) {
        LibC.memset(arena.allocate(byteSize), -1);
      }
      assertClean("memset of " + byteSize);
    }
  }

  @Test
  void noneIsLeftByACleanupActionThatWrites() {
    for (int byteSize = 1; byteSize <= slabByteSize; byteSize++) {
      try (Arena arena = pool.open()) {
        onClose(arena.allocate(byteSize), arena, memory -> memory.fill((byte) -1));
      }
      assertClean("action on " + byteSize + " bytes");
    }
  }

  @Test
  void noneIsLeftIfACleanupActionThrows() {
    for (int byteSize = 1; byteSize <= slabByteSize; byteSize++) {
      Arena arena = pool.open();
      onClose(
          arena.allocate(byteSize).fill((byte) -1),
          arena,
          _ -> {
            throw new IllegalArgumentException("action");
          });
      assertThatThrownBy(arena::close).hasMessage("action");
      assertClean("action on " + byteSize + " bytes");
    }
  }

  @Test
  void noneIsLeftByArenasThatWereOpenAtOnce() {
    Pool seven = Pool.of(slabByteSize, 7, 0);
    Random random = new Random(slabByteSize);
    for (int round = 0; round < 2_000; round++) {
      Arena[] open = new Arena[9];
      for (int i = 0; i < open.length; i++) {
        open[i] = seven.open();
        for (int left = random.nextInt(4); left > 0; left--) {
          MemorySegment memory = open[i].allocate(random.nextInt(slabByteSize / 2));
          assertZero("allocation in round " + round, memory);
          memory.fill((byte) -1);
        }
      }
      Collections.shuffle(Arrays.asList(open), random);
      for (Arena arena : open) {
        arena.close();
      }
      seven.registry().checkInvariants();
    }
    seven.registry().freeAll();
  }

  /** Shows that the check used everywhere else can fail. */
  @Test
  void checkFindsASingleBitInAFreeSlab() {
    MemorySegment slab;
    try (Arena arena = pool.open()) {
      slab = arena.allocate(slabByteSize);
    }
    MemorySegment raw = MemorySegment.ofAddress(slab.address()).reinterpret(slabByteSize);
    for (int offset = 0; offset < slabByteSize; offset++) {
      raw.set(ValueLayout.JAVA_BYTE, offset, (byte) 0x10);
      assertThatThrownBy(() -> pool.registry().checkInvariants())
          .isInstanceOf(AssertionError.class)
          .hasMessage("free slab 0 holds data at byte " + (offset & -Long.BYTES));
      assertThatThrownBy(() -> assertClean("dirty")).isInstanceOf(AssertionError.class);
      raw.set(ValueLayout.JAVA_BYTE, offset, (byte) 0);
    }
    assertThatCode(() -> assertClean("clean")).doesNotThrowAnyException();
  }

  @Test
  void checkLetsAnOwnedSlabHoldData() {
    try (Arena arena = pool.open()) {
      arena.allocate(slabByteSize).fill((byte) -1);
      assertThatCode(() -> pool.registry().checkInvariants()).doesNotThrowAnyException();
    }
  }

  /** Fails unless the next arena sees zeros only, in all of the slab. */
  private void assertClean(String after) {
    try (Arena arena = pool.open()) {
      MemorySegment whole = arena.allocate(slabByteSize);
      long dirty = whole.mismatch(MemorySegment.ofArray(zeros));
      if (dirty != -1 || pool.registry().owned() != 1) {
        assertThat(dirty).as("first byte that is not zero after %s", after).isEqualTo(-1);
        assertThat(pool.registry().owned()).as("slabs owned after %s", after).isEqualTo(1);
      }
    }
  }

  private void assertZero(String what, MemorySegment memory) {
    long dirty = memory.mismatch(MemorySegment.ofArray(new byte[(int) memory.byteSize()]));
    if (dirty != -1) {
      assertThat(dirty).as("first byte that is not zero in %s", what).isEqualTo(-1);
    }
  }

  private static void onClose(MemorySegment memory, Arena arena, Consumer<MemorySegment> action) {
    MemorySegment _ = memory.reinterpret(arena, action);
  }
}
