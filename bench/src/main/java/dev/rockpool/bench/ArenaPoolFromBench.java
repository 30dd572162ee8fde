package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The other table of the proposal that {@link ArenaPoolBench} is from: {@code allocateFrom} an
 * {@code int} and a string of 19 characters, both constants, in an arena of the JDK or of that
 * pool.
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
}
