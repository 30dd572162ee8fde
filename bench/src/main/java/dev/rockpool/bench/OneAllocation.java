package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;

/** One allocation in one arena, from opening to closing it: the contestants, for any size. */
public abstract class OneAllocation extends ArenaBenchmark {
  /** Bytes asked for. A method, because JMH takes a parameter's values from where its field is. */
  abstract int size();

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(size()).address();
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocate(size()).address();
    }
  }

  @Benchmark
  public long ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return arena.allocate(size()).address();
    }
  }

  @Benchmark
  public long threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return arena.allocate(size()).address();
    }
  }

  /** Zeroed when handed out, not when given back, and usable by anyone at any time: less safe. */
  @Benchmark
  public long lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return stack.ncalloc(LWJGL_ALIGNMENT, 1, size());
    }
  }
}
