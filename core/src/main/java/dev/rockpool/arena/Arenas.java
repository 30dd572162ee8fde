package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import java.lang.foreign.Arena;

/**
 * Arenas whose memory is recycled: the same results as those of {@link Arena}, sooner.
 *
 * {@snippet :
 * // once a call, as bindings do
 * try (Arena arena = Arenas.ofConfined()) {
 *   MemorySegment text = arena.allocateFrom("hello");
 *   long length = (long) STRLEN.invokeExact(text);
 * }
 * }
 */
public final class Arenas {
  private Arenas() {}

  /**
   * Opens a confined arena that takes small allocations, zeroed, from the pool of the current
   * thread: a drop-in for {@link Arena#ofConfined()}, with the same results, exceptions,
   * confinement and lifetime.
   *
   * <p>The arena belongs to the current thread, platform or virtual; only that thread may allocate
   * from it, touch its segments, and close it. It takes pooled memory at its first allocation that
   * fits and gives it back, zeroed, when it is closed. What does not fit is served by the JDK's own
   * confined arena, as is everything while no pooled memory is left, on a virtual thread, with
   * pooling switched off, and where native access is denied to this module.
   *
   * <p>Each segment starts on a multiple of 16, as memory from malloc does, or on the larger
   * alignment asked for.
   *
   * @return a new confined arena, owned by the current thread, to be closed by it
   */
  @ForceInline
  public static Arena ofConfined() {
    return SlabTable.SHARED.open();
  }
}
