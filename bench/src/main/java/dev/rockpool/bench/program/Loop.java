package dev.rockpool.bench.program;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Arenas in a loop and nothing else: 20 bytes in each, 40 more in each third. */
public final class Loop {
  private Loop() {}

  private static long open(int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(20);
      segment.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
      if (number % 3 == 0) {
        arena.allocate(40).set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
      }
      return segment.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }
  }

  /** Opens as many as the argument says. */
  public static void main(String[] args) {
    long sum = 0;
    for (int left = Integer.parseInt(args[0]); left > 0; left--) {
      sum += open(left);
    }
    System.out.println(sum);
  }
}
