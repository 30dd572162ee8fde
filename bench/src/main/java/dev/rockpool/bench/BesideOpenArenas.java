package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
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
public class BesideOpenArenas extends Contestants {
  /** Number of arenas that stay open. */
  @Param({"0", "4", "7", "20"})
  public int open;

  /** Bytes asked for in each of them; 16,000 are too many for a slab. */
  @Param({"16", "16000"})
  public int size;

  private Arena[] kept = {};

  /** Opens them as the benchmark opens its own. */
  @Setup
  public void open(BenchmarkParams params) {
    boolean ofJdk = params.getBenchmark().endsWith(".jdk");
    kept = new Arena[open];
    for (int i = 0; i < open; i++) {
      kept[i] = ofJdk ? Arena.ofConfined() : Arenas.ofConfined();
      kept[i].allocate(size);
    }
  }

  @TearDown
  public void close() {
    for (Arena arena : kept) {
      arena.close();
    }
  }

  @Override
  long use(Arena arena) {
    return arena.allocate(16).address();
  }
}
