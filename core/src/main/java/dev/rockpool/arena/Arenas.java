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
   * fits, more as it grows, and gives it back, zeroed, when it is closed. What does not fit (more
   * than 8 KiB in one piece, with the default sizes) is served by the JDK's own confined arena, as
   * is everything while no pooled memory is left, with pooling switched off, and where native
   * access is denied to this module.
   *
   * <p>A virtual thread uses the pooled memory of its carrier where package {@code java.lang} is
   * open to this module ({@code --add-opens java.base/java.lang=dev.rockpool}, or {@code
   * ALL-UNNAMED} on the class path), and otherwise a fixed set of slabs that all threads share,
   * which takes somewhat longer. Either way memory does not grow with the number of virtual
   * threads.
   *
   * <p>Each segment starts on a multiple of 16, as memory from malloc does, or on the larger
   * alignment asked for.
   *
   * @return a new confined arena, owned by the current thread, to be closed by it
   */
  @ForceInline
  public static Arena ofConfined() {
    SlabTable table;
    try {
      // Where the stack or the heap is at its end at the first use, this fails as long as the JVM
      // runs. Nothing else is tried here: to C2 it is a constant, and so there is no catch.
      table = SlabTable.SHARED;
    } catch (LinkageError | VirtualMachineError unusable) {
      return Arena.ofConfined();
    }
    // Null on a thread that initializes the table, if a property of the program's own opens one.
    return table == null ? Arena.ofConfined() : table.open();
  }
}
