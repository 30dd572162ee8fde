package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * An arena with one allocation of 16 bytes, on a thread that keeps {@code open} others open, each
 * with one allocation of {@code size} bytes: an event loop's connections, say.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar BesideOpenArenas -prof gc
 * java -jar bench/target/benchmarks.jar BesideOpenArenas.jdk -prof gc \
 *   -jvmArgsAppend -javaagent:agent/target/rockpool-agent.jar
 * </pre>
 */
public class BesideOpenArenas extends ArenaBenchmark {
  private static final int BYTE_SIZE = 16;

  /** Number of arenas that stay open. */
  @Param({"0", "4", "8", "20"})
  public int open;

  /** Bytes asked for in each of them; 16,000 are too many for a block. */
  @Param({"16", "16000"})
  public int size;

  private Arena[] kept = {};

  /** Opens them as the benchmark opens its own. */
  @Setup
  @SuppressWarnings("MustBeClosed") // the method below does that
  public void open(BenchmarkParams params) {
    boolean ofJdk = params.getBenchmark().endsWith(".jdk");
    kept = new Arena[open];
    for (int i = 0; i < open; i++) {
      kept[i] = ofJdk ? Arena.ofConfined() : Arenas.ofConfined();
      kept[i].allocate(size);
    }
  }

  /** Closes them. */
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
