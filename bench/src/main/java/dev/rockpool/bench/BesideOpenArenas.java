package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * An arena with one small allocation, on a thread that keeps {@code open} others open, as for an
 * event loop's connections.
 */
public class BesideOpenArenas extends ArenaBenchmark {
  private static final int BYTE_SIZE = 16;

  @Param({"0", "4", "8", "20"})
  public int open;

  private Arena[] kept = {};

  @Setup
  @SuppressWarnings("MustBeClosed") // the method below does that
  public void open(BenchmarkParams params) {
    boolean ofJdk = params.getBenchmark().endsWith(".jdk");
    kept = new Arena[open];
    for (int i = 0; i < open; i++) {
      kept[i] = ofJdk ? Arena.ofConfined() : Arenas.ofConfined();
      kept[i].allocate(BYTE_SIZE);
    }
  }

  @TearDown
  public void close() {
    for (Arena arena : kept) {
      arena.close();
    }
  }

  @Benchmark
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(BYTE_SIZE).address();
    }
  }

  @Benchmark
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocate(BYTE_SIZE).address();
    }
  }
}
