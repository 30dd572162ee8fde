package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * One allocation in one arena: mostly of 20 bytes, but every so often of more than any block holds,
 * so that both the pool's way and the regular one are compiled into the same code. A binding's
 * method that takes strings is like that.
 *
 * <p>Compiled by itself, as a binding's method is: JMH's loop would be parsed twice into the same
 * budget of C2.
 */
public class MixedSizes extends ArenaBenchmark {
  private static final int SMALL = 20;
  private static final int TOO_LARGE = 20_000;

  /** One arena in so many asks for too much. */
  @Param({"1", "4", "16", "256"})
  public int every;

  private int arenas;

  private int byteSize() {
    return ++arenas % every == 0 ? TOO_LARGE : SMALL;
  }

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(byteSize()).address();
    }
  }

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocate(byteSize()).address();
    }
  }
}
