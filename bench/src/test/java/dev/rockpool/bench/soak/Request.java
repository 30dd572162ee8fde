package dev.rockpool.bench.soak;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One allocation, of the sizes and in the ways that programs ask for.
 *
 * @param memory what was handed out
 * @param byteAlignment what was asked for
 */
record Request(Checker.Block memory, long byteAlignment) {
  private static final String TEXT = "größer als ASCII, \uD83D\uDE00; ".repeat(40);

  /** An allocation takes a multiple of so many bytes, and more for a larger alignment. */
  private static final int GRANULE = 16;

  /** Allocates something, marked as {@code owner}'s. */
  static Request make(Arena arena, SplittableRandom random, Checker checker, Owner owner) {
    return switch (random.nextInt(10)) {
      case 0 -> new Request(checker.takeFilled(string(arena, random), owner), 1);
      case 1 -> new Request(checker.takeFilled(array(arena, random), owner), 1);
      case 2 -> {
        long byteAlignment = alignment(random);
        MemorySegment memory = arena.allocate(byteSize(random), byteAlignment);
        yield new Request(checker.take(memory, owner), byteAlignment);
      }
      default -> new Request(checker.take(arena.allocate(byteSize(random)), owner), 1);
    };
  }

  /** Whether a block of that size has room for this, if nothing else is in it. */
  boolean fits(long blockByteSize) {
    return fits(memory.memory().byteSize(), byteAlignment, blockByteSize);
  }

  static boolean fits(long byteSize, long byteAlignment, long blockByteSize) {
    long footprint = (Math.max(1, byteSize) + GRANULE - 1) & -GRANULE;
    return footprint + Math.max(0, byteAlignment - GRANULE) <= blockByteSize;
  }

  /**
   * Mostly small; some are larger than a block of the shared pool, and one in a hundred than one of
   * any pool.
   */
  private static long byteSize(SplittableRandom random) {
    int percent = random.nextInt(100);
    int most = percent < 75 ? 64 : percent < 90 ? 512 : percent < 98 ? 4096 : 8192;
    return percent == 99 ? random.nextInt(8193, 40_000) : random.nextInt(most + 1);
  }

  /** From 1 to a page. */
  private static long alignment(SplittableRandom random) {
    return 1L << random.nextInt(13);
  }

  private static MemorySegment string(Arena arena, SplittableRandom random) {
    String text = TEXT.substring(0, 1 + random.nextInt(random.nextInt(8) == 0 ? 600 : 40));
    if (Character.isHighSurrogate(text.charAt(text.length() - 1))) {
      text = text.substring(1);
    }
    MemorySegment memory = arena.allocateFrom(text);
    byte[] expected = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), (int) memory.byteSize());
    check(expected, memory.toArray(ValueLayout.JAVA_BYTE));
    return memory;
  }

  private static MemorySegment array(Arena arena, SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(8) == 0 ? 5000 : 100)];
    random.nextBytes(bytes);
    MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    check(bytes, memory.toArray(ValueLayout.JAVA_BYTE));
    return memory;
  }

  private static void check(byte[] expected, byte[] found) {
    int other = Arrays.mismatch(expected, found);
    if (other >= 0) {
      throw new Violation(
          "Memory must hold what was copied into it: byte "
              + other
              + " differs; expected="
              + Arrays.toString(expected)
              + ", found="
              + Arrays.toString(found));
    }
  }
}
