package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The cost of recording arenas: the same source with the agent, and with the agent and its option
 * {@code record}.
 *
 * <p>{@code one} is an arena with one allocation of {@code size} bytes, {@code three} one with
 * three, {@code nested} two arenas, one within the other.
 */
public class Recording extends ArenaBenchmark {
  @Param({"0", "20", "100"})
  public int size;

  @Benchmark
  public long one() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(size).address();
    }
  }

  @Benchmark
  public long three() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(size);
      MemorySegment second = arena.allocate(size);
      return first.address() + second.address() + arena.allocate(size).address();
    }
  }

  @Benchmark
  public long nested() {
    try (Arena outer = Arena.ofConfined()) {
      long address = outer.allocate(size).address();
      try (Arena inner = Arena.ofConfined()) {
        return address + inner.allocate(size).address();
      }
    }
  }
}
