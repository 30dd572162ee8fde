package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;

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

  /** The same with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AGENT})
  public static class UnderAgent extends AllocateFromString {
    @Override
    Conditions conditions() {
      return Conditions.UNDER_AGENT;
    }
  }

  /** The same on a virtual thread, by public API only. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL})
  public static class OfVirtual extends AllocateFromString {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL;
    }
  }

  /** The same on a virtual thread, with java.lang open to Rockpool. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.OPEN_JAVA_LANG})
  public static class OfVirtualOpened extends AllocateFromString {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_OPENED;
    }
  }

  /** The same on a virtual thread, with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.AGENT})
  public static class OfVirtualUnderAgent extends AllocateFromString {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_UNDER_AGENT;
    }
  }
}
