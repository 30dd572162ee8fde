package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * The table of a proposal for the JDK, "pool of 4 and 64 byte elements": one allocation of {@code
 * ELEM_SIZE} bytes in an arena of the JDK or of a pool that the program has made, or ({@code
 * confined2}, {@code pooled2}) in each of two arenas, one within the other. The names are those of
 * that proposal. Its pool had 32 bytes for each thread, so that 64 went the regular way; ours holds
 * both.
 */
public class ArenaPoolBench extends ArenaBenchmark {
  @Param({"4", "64"})
  public int ELEM_SIZE;

  /** Apart from the benchmark, so that the JVM that measures the JDK's arenas makes no pool. */
  static final class Pools {
    static final ArenaPool POOL = ArenaPool.builder().blockByteSize(64).blocksPerThread(8).build();

    private Pools() {}
  }

  @Override
  @Nullable ArenaPool poolOf(String contestant) {
    return contestant.startsWith("pooled") ? Pools.POOL : null;
  }

  @Benchmark
  public long confined() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(ELEM_SIZE).address();
    }
  }

  @Benchmark
  public long confined2() {
    try (Arena outer = Arena.ofConfined()) {
      long address = outer.allocate(ELEM_SIZE).address();
      try (Arena inner = Arena.ofConfined()) {
        return address + inner.allocate(ELEM_SIZE).address();
      }
    }
  }

  @Benchmark
  public long pooled() {
    try (Arena arena = Pools.POOL.take()) {
      return arena.allocate(ELEM_SIZE).address();
    }
  }

  @Benchmark
  public long pooled2() {
    try (Arena outer = Pools.POOL.take()) {
      long address = outer.allocate(ELEM_SIZE).address();
      try (Arena inner = Pools.POOL.take()) {
        return address + inner.allocate(ELEM_SIZE).address();
      }
    }
  }
}
