package dev.rockpool.bench;

import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Param;

/**
 * Many small allocations, {@code count} times 64 bytes in one arena, as for a tree of structs. Both
 * counts are more than a block of the usual size has room for; the JDK serves the rest.
 */
public class ManyAllocations extends Contestants.WithStack {
  private static final int SIZE = 64;

  @Param({"16", "64"})
  public int count;

  @Override
  long use(Arena arena) {
    long addresses = 0;
    for (int i = 0; i < count; i++) {
      addresses += arena.allocate(SIZE).address();
    }
    return addresses;
  }

  @Override
  long use(MemoryStack stack) {
    long addresses = 0;
    for (int i = 0; i < count; i++) {
      addresses += stack.ncalloc(LWJGL_ALIGNMENT, 1, SIZE);
    }
    return addresses;
  }
}
