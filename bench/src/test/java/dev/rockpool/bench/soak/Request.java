package dev.rockpool.bench.soak;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** One allocation, of the sizes and in the ways that programs ask for. */
final class Request {
  private static final String TEXT = "größer als ASCII, \uD83D\uDE00; ".repeat(40);

  private Request() {}

  /** Allocates something, marked as {@code owner}'s. */
  static Checker.Block make(Arena arena, SplittableRandom random, Checker checker, Owner owner) {
    return switch (random.nextInt(10)) {
      case 0 -> checker.takeFilled(string(arena, random), owner);
      case 1 -> checker.takeFilled(array(arena, random), owner);
      case 2 -> checker.take(arena.allocate(byteSize(random), alignment(random)), owner);
      default -> checker.take(arena.allocate(byteSize(random)), owner);
    };
  }

  /** Mostly small; one in a hundred is larger than the pool has in one piece. */
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
