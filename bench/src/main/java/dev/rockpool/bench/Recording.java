package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * What it costs to record arenas: the same source with the agent, and with the agent and its option
 * {@code record}.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar 'Recording\.' -prof gc
 * </pre>
 *
 * <p>{@code one} is an arena with one allocation of {@code size} bytes, {@code three} one with
 * three, {@code nested} two arenas, one within the other. Forks write {@code
 * bench/target/recorded.jfr}.
 */
public abstract class Recording extends ArenaBenchmark {
  static final String RECORD = Conditions.AGENT + "=record=bench/target/recorded.jfr";

  /** Bytes asked for. */
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

  /** Not recorded. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AGENT})
  public static class OffUnderAgent extends Recording {
    @Override
    Conditions conditions() {
      return Conditions.UNDER_AGENT;
    }
  }

  /** Recorded. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, RECORD})
  public static class OnUnderAgent extends Recording {
    @Override
    Conditions conditions() {
      return Conditions.RECORDED;
    }
  }

  /** Not recorded, on a virtual thread. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.AGENT})
  public static class OffOfVirtualUnderAgent extends Recording {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_UNDER_AGENT;
    }
  }

  /** Recorded, on a virtual thread. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, RECORD})
  public static class OnOfVirtualUnderAgent extends Recording {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_RECORDED;
    }
  }
}
