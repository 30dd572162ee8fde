package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Three allocations of {@code size} bytes each, one after the other in one arena, as for a call
 * with several out-parameters.
 *
 * <pre>
 * ./rockpool bench --filter ThreeAllocations
 * </pre>
 */
public class ThreeAllocations extends ArenaBenchmark {
  /** Bytes asked for, each time. */
  @Param({"8", "20", "64"})
  public int size;

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(size).address()
          + arena.allocate(size).address()
          + arena.allocate(size).address();
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocate(size).address()
          + arena.allocate(size).address()
          + arena.allocate(size).address();
    }
  }

  @Benchmark
  public long ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return arena.allocate(size).address()
          + arena.allocate(size).address()
          + arena.allocate(size).address();
    }
  }

  @Benchmark
  public long threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return arena.allocate(size).address()
          + arena.allocate(size).address()
          + arena.allocate(size).address();
    }
  }

  @Benchmark
  public long lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return stack.ncalloc(LWJGL_ALIGNMENT, 1, size)
          + stack.ncalloc(LWJGL_ALIGNMENT, 1, size)
          + stack.ncalloc(LWJGL_ALIGNMENT, 1, size);
    }
  }
}
