package dev.rockpool.arena;

import com.google.errorprone.annotations.MustBeClosed;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Lifetime;
import java.lang.foreign.Arena;

/**
 * Opens pooled arenas. They behave like those of {@link Arena}, and take less time.
 *
 * {@snippet :
 * // once a call, as bindings do it
 * try (Arena arena = Arenas.ofConfined()) {
 *   MemorySegment text = arena.allocateFrom("hello");
 *   long length = (long) STRLEN.invokeExact(text);
 * }
 * }
 *
 * @since 0.1.0
 */
public final class Arenas {
  private Arenas() {}

  /**
   * Opens a confined arena that takes small allocations, zeroed, from the pool of the current
   * thread. The arena is a drop-in replacement for {@link Arena#ofConfined()}, with the same
   * results, exceptions, confinement and lifetime. There is one difference: if several cleanup
   * actions are registered ({@link java.lang.foreign.MemorySegment#reinterpret(Arena,
   * java.util.function.Consumer)}), the first one may run first instead of last, even if another
   * one throws an error.
   *
   * <p>The arena belongs to the current thread, platform or virtual. Only that thread may allocate
   * from the arena, access its segments, and close it. The arena owns a block of native memory, by
   * default of 512 bytes, which is zero when the arena gets it. When the arena is closed, it zeroes
   * the bytes that it has used, and the thread keeps the block for a later arena. A thread keeps up
   * to 8 blocks by default. If it keeps none, because it has many arenas open, a block is
   * allocated, which takes as much time as an arena of the JDK.
   *
   * <p>The fallback is the JDK's own confined arena. It serves allocations that don't fit the
   * block. It serves every arena if pooling is switched off, native access is denied to this
   * module, or this JVM is unsuited ({@link PoolStatistics.State}).
   *
   * <p>A virtual thread uses the blocks of its carrier if package {@code java.lang} is open to this
   * module ({@code --add-opens java.base/java.lang=dev.rockpool}, or {@code ALL-UNNAMED} on the
   * class path). Otherwise virtual threads share a fixed number of blocks, which takes somewhat
   * longer. Either way memory does not grow with the number of virtual threads.
   *
   * <p>JDK 28 and later pool the arenas of {@link Arena#ofConfined()} themselves: by default 4
   * blocks of 64 bytes for each thread, and with the system properties {@code
   * jdk.internal.foreign.native.confined.pool.power.size=9} and {@code
   * jdk.internal.foreign.native.confined.pool.power.count=3} 8 blocks of 512 bytes. With these,
   * that pool is about as fast as this one. This method uses its own pool there, too.
   *
   * <p>Each pooled segment is aligned to 16 bytes, like memory from malloc, or to the larger
   * requested {@code byteAlignment}.
   *
   * @return a new confined arena; the current thread owns the arena and must close it
   */
  @ForceInline
  @MustBeClosed
  @SuppressWarnings("exports") // users compile without the annotation
  public static Arena ofConfined() {
    BlockPool pool;
    try {
      // Fails until the JVM ends if the first use met the end of stack or heap. The try has nothing
      // else in it: C2 sees a constant, and so compiles no exception handler.
      pool = BlockPool.Shared.POOL;
    } catch (LinkageError unusable) {
      return Arena.ofConfined();
    }
    // Null on the thread that initializes the pool, if the program's own system properties object
    // opens an arena.
    if (pool == null) {
      return Arena.ofConfined();
    }
    return pool.open(Lifetime.open());
  }
}
