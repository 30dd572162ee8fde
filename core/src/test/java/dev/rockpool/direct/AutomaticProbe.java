package dev.rockpool.direct;

import dev.rockpool.arena.Collected;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Automatic arenas end while the heap is full, so that the JDK's cleaner fails. Their memory must
 * come back once there is heap.
 */
final class AutomaticProbe {
  private static final int SEGMENTS = 2000;
  private static final long FULL_NANOS = 2_000_000_000;

  private static @Nullable Arena arena;
  private static Object @Nullable [] filling;

  private AutomaticProbe() {}

  private static void fillHeapAndDropArena() {
    Object[] pieces = null;
    int length = 1 << 16;
    long start = System.nanoTime();
    while (System.nanoTime() - start < FULL_NANOS) {
      try {
        Object[] piece = new Object[length];
        piece[0] = pieces;
        pieces = piece;
        filling = pieces;
      } catch (OutOfMemoryError full) {
        length = Math.max(1, length / 2);
        arena = length > 1 ? arena : null;
      }
    }
  }

  private static void awaitGivenBack(DirectMemory memory) {
    Collected.await(
        "memory of automatic arenas",
        () -> {
          memory.free(memory.allocate(1, 1)); // restarts the reclaimer, which may have failed, too
          return memory.reserved() == 0;
        });
  }

  public static void main(String[] args) {
    DirectMemory memory = DirectMemory.ofLimit(64 << 20);
    memory.ofAuto().allocate(1);
    awaitGivenBack(memory); // uses all classes where there is heap: a full heap may spoil them
    Arena automatic = memory.ofAuto();
    for (int i = 0; i < SEGMENTS; i++) {
      automatic.allocate(1000);
    }
    arena = automatic;
    automatic = null;
    fillHeapAndDropArena();
    filling = null;
    awaitGivenBack(memory);
    System.out.println("reserved=" + memory.reserved());
  }
}
