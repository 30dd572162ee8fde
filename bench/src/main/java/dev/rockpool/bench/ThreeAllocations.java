package dev.rockpool.bench;

import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Param;

/**
 * Three allocations of {@code size} bytes each, one after the other in one arena, as for a call
 * with several out-parameters.
 */
public class ThreeAllocations extends Contestants.WithStack {
  @Param({"8", "20", "64"})
  public int size;

  @Override
  long use(Arena arena) {
    return arena.allocate(size).address()
        + arena.allocate(size).address()
        + arena.allocate(size).address();
  }

  @Override
  long use(MemoryStack stack) {
    return stack.ncalloc(LWJGL_ALIGNMENT, 1, size)
        + stack.ncalloc(LWJGL_ALIGNMENT, 1, size)
        + stack.ncalloc(LWJGL_ALIGNMENT, 1, size);
  }
}
