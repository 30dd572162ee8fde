package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
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

  /** The same with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AGENT})
  public static class UnderAgent extends ThreeAllocations {
    @Override
    Conditions conditions() {
      return Conditions.UNDER_AGENT;
    }
  }

  /** The same on a virtual thread, by public API only. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL})
  public static class OfVirtual extends ThreeAllocations {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL;
    }
  }

  /** The same on a virtual thread, with java.lang open to Rockpool. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.OPEN_JAVA_LANG})
  public static class OfVirtualOpened extends ThreeAllocations {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_OPENED;
    }
  }

  /** The same on a virtual thread, with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.AGENT})
  public static class OfVirtualUnderAgent extends ThreeAllocations {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_UNDER_AGENT;
    }
  }
}
