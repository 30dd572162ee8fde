package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * An arena within an arena, one allocation of {@code size} bytes in each, as when a method that
 * needs memory calls another one that does.
 */
public class TwoOpenArenas extends ArenaBenchmark {
  @Param({"8", "20", "64"})
  public int size;

  @Benchmark
  public long jdk() {
    try (Arena outer = Arena.ofConfined()) {
      long address = outer.allocate(size).address();
      try (Arena inner = Arena.ofConfined()) {
        return address + inner.allocate(size).address();
      }
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena outer = Arenas.ofConfined()) {
      long address = outer.allocate(size).address();
      try (Arena inner = Arenas.ofConfined()) {
        return address + inner.allocate(size).address();
      }
    }
  }
}
