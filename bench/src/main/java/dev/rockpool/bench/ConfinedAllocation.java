package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * One allocation of {@code size} bytes in one arena, from opening to closing it.
 *
 * <pre>
 * ./rockpool bench --filter ConfinedAllocation
 * ./rockpool bench --filter ConfinedAllocation --sweep     (each size from 0 to 64)
 * java -jar bench/target/benchmarks.jar 'ConfinedAllocation\.[a-z]' -p size=100,451,1024,4096 -prof gc
 * </pre>
 *
 * <p>Nothing is written to the memory: the cost of handing it out zeroed is in the arena.
 */
public class ConfinedAllocation extends ArenaBenchmark {
  /** Bytes asked for. */
  @Param({"0", "5", "8", "20", "64"})
  public int size;

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(size).address();
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocate(size).address();
    }
  }

  @Benchmark
  public long ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return arena.allocate(size).address();
    }
  }

  @Benchmark
  public long threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return arena.allocate(size).address();
    }
  }

  /** Zeroed when handed out, not when given back, and usable by anyone at any time: less safe. */
  @Benchmark
  public long lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return stack.ncalloc(LWJGL_ALIGNMENT, 1, size);
    }
  }

  /** The same with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AGENT})
  public static class UnderAgent extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.UNDER_AGENT;
    }
  }

  /** The same without a compiler. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.NO_COMPILER})
  public static class Interpreted extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.INTERPRETED;
    }
  }

  /** The same with the first compiler alone. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.C1_ONLY})
  public static class C1 extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.C1;
    }
  }
}
