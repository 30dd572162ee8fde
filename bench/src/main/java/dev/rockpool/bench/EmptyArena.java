package dev.rockpool.bench;

import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * An arena that is opened and closed and never asked for memory, as on paths that turn out not to
 * need any.
 *
 * <p>{@code nothing} is what remains if there is no arena at all: JMH's loop.
 */
public class EmptyArena extends Contestants.WithStack {
  private boolean alive = true;

  @Benchmark
  public boolean nothing() {
    return alive;
  }

  @Override
  long use(Arena arena) {
    return arena.scope().isAlive() ? 1 : 0;
  }

  @Override
  long use(MemoryStack stack) {
    return stack.getPointer();
  }
}
