package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * An arena that is opened and closed and never asked for memory, as on paths that turn out not to
 * need any.
 *
 * <pre>
 * ./rockpool bench --filter EmptyArena
 * </pre>
 *
 * <p>{@code nothing} is what remains if there is no arena at all: JMH's loop.
 */
public class EmptyArena extends ArenaBenchmark {
  private boolean alive = true;

  @Benchmark
  public boolean nothing() {
    return alive;
  }

  @Benchmark
  public boolean jdk() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.scope().isAlive();
    }
  }

  @Benchmark
  public boolean rockpool() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.scope().isAlive();
    }
  }

  @Benchmark
  public boolean ownPool() {
    try (Arena arena = OwnPool.POOL.take()) {
      return arena.scope().isAlive();
    }
  }

  @Benchmark
  public boolean threadLocalPool() {
    try (Arena arena = ThreadLocalPool.open()) {
      return arena.scope().isAlive();
    }
  }

  @Benchmark
  public int lwjglStack() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return stack.getPointer();
    }
  }
}
