package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * One {@code int} put into native memory with {@code allocateFrom}, as for an in-out parameter.
 *
 * <pre>
 * ./rockpool bench --filter AllocateFromInt
 * </pre>
 */
public class AllocateFromInt extends ArenaBenchmark {
  private int value = 42;

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocateFrom(ValueLayout.JAVA_INT, value).address();
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocateFrom(ValueLayout.JAVA_INT, value).address();
    }
  }

  @Benchmark
  public long ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return arena.allocateFrom(ValueLayout.JAVA_INT, value).address();
    }
  }

  @Benchmark
  public long threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return arena.allocateFrom(ValueLayout.JAVA_INT, value).address();
    }
  }

  /** The value stays in the stack's memory. */
  @Benchmark
  public long lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long address = stack.nmalloc(Integer.BYTES, Integer.BYTES);
      MemoryUtil.memPutInt(address, value);
      return address;
    }
  }
}
