package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;

/**
 * The other table of the proposal that {@link ArenaPoolBench} is from: {@code allocateFrom} an
 * {@code int} and a string of 19 characters, both constants, in an arena of the JDK or of that
 * pool.
 *
 * <pre>
 * ./rockpool bench --filter ArenaPoolFromBench
 * java -jar bench/target/benchmarks.jar 'ArenaPoolFromBench' -prof gc
 * </pre>
 */
public class ArenaPoolFromBench extends ArenaBenchmark {
  private static final int VALUE = 42;
  private static final String TEXT = "nineteen characters";

  @Override
  @Nullable ArenaPool poolOf(String contestant) {
    return contestant.startsWith("pooled") ? ArenaPoolBench.Pools.POOL : null;
  }

  @Benchmark
  public long confinedInt() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocateFrom(ValueLayout.JAVA_INT, VALUE).address();
    }
  }

  @Benchmark
  public long confinedString() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocateFrom(TEXT).address();
    }
  }

  @Benchmark
  public long pooledInt() {
    try (Arena arena = ArenaPoolBench.Pools.POOL.take()) {
      return arena.allocateFrom(ValueLayout.JAVA_INT, VALUE).address();
    }
  }

  @Benchmark
  public long pooledString() {
    try (Arena arena = ArenaPoolBench.Pools.POOL.take()) {
      return arena.allocateFrom(TEXT).address();
    }
  }

  /** The same on a virtual thread, by public API only. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL})
  public static class OfVirtual extends ArenaPoolFromBench {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL;
    }
  }

  /** The same on a virtual thread, with java.lang open to Rockpool. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.OPEN_JAVA_LANG})
  public static class OfVirtualOpened extends ArenaPoolFromBench {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_OPENED;
    }
  }
}
