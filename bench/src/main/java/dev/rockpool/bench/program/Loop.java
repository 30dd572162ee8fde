package dev.rockpool.bench.program;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Arenas in a loop and nothing else: 20 bytes in each, 40 more in each third. */
public final class Loop {
  private static final int SIZE = 20;
  private static final int MORE = 40;
  private static final int EACH = 3;

  private Loop() {}

  private static long open(int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(SIZE);
      segment.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
      if (number % EACH == 0) {
        arena.allocate(MORE).set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
      }
      return segment.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }
  }

  /**
   * Opens them.
   *
   * @param args how many
   */
  public static void main(String[] args) {
    long sum = 0;
    for (int left = Integer.parseInt(args[0]); left > 0; left--) {
      sum += open(left);
    }
    System.out.println(sum);
  }
}
