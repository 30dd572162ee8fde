package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;

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

  /** The same with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AGENT})
  public static class UnderAgent extends AllocateFromInt {
    @Override
    Conditions conditions() {
      return Conditions.UNDER_AGENT;
    }
  }

  /** The same on a virtual thread, by public API only. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL})
  public static class OfVirtual extends AllocateFromInt {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL;
    }
  }

  /** The same on a virtual thread, with java.lang open to Rockpool. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.OPEN_JAVA_LANG})
  public static class OfVirtualOpened extends AllocateFromInt {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_OPENED;
    }
  }

  /** The same on a virtual thread, with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.AGENT})
  public static class OfVirtualUnderAgent extends AllocateFromInt {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_UNDER_AGENT;
    }
  }
}
