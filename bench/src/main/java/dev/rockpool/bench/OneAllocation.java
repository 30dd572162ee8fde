package dev.rockpool.bench;

import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;

/** One allocation in one arena, from opening to closing it: the contestants, for any size. */
public abstract class OneAllocation extends Contestants.WithStack {
  /** Bytes asked for. A method, because JMH takes a parameter's values from where its field is. */
  abstract int size();

  @Override
  long use(Arena arena) {
    return arena.allocate(size()).address();
  }

  @Override
  long use(MemoryStack stack) {
    return stack.ncalloc(LWJGL_ALIGNMENT, 1, size());
  }
}
