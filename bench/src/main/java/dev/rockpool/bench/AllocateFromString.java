package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * One string of 20 characters put into native memory with {@code allocateFrom}: UTF-8, and a zero
 * at the end.
 *
 * <pre>
 * ./rockpool bench --filter AllocateFromString
 * </pre>
 */
public class AllocateFromString extends ArenaBenchmark {
  private String value = "twenty characters :)";

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocateFrom(value).address();
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocateFrom(value).address();
    }
  }

  @Benchmark
  public long ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return arena.allocateFrom(value).address();
    }
  }

  @Benchmark
  public long threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return arena.allocateFrom(value).address();
    }
  }

  /** The characters stay in the stack's memory. */
  @Benchmark
  public long lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return MemoryUtil.memAddress(stack.UTF8(value));
    }
  }
}
