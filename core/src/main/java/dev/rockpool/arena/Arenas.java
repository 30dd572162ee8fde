package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;

/**
 * Opens arenas that recycle memory. These arenas behave like those of {@link Arena}, and take less
 * time.
 *
 * {@snippet :
 * // once a call, as bindings do it
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
   * thread. The arena is a drop-in replacement for {@link Arena#ofConfined()}, with the same
   * results, exceptions, confinement and lifetime. One difference: of several cleanup actions
   * ({@link java.lang.foreign.MemorySegment#reinterpret(Arena, java.util.function.Consumer)}) the
   * first one registered may run first instead of last.
   *
   * <p>The arena belongs to the current thread, platform or virtual. Only that thread may allocate
   * from the arena, access its segments, and close it. The arena takes pooled memory when it is
   * opened, or at its first allocation that fits, and more as it grows. When closed, the arena
   * zeroes that memory and returns it to the pool.
   *
   * <p>The fallback is the JDK's own confined arena. The fallback serves allocations that do not
   * fit, and all allocations while no pooled memory is free. With the default sizes an arena gets 2
   * KiB of its thread's memory, and then 8 KiB more. The fallback serves every arena if pooling is
   * switched off, native access is denied to this module, or this JVM is unsuited ({@link
   * PoolStatistics.State}).
   *
   * <p>A virtual thread uses the pooled memory of its carrier if package {@code java.lang} is open
   * to this module ({@code --add-opens java.base/java.lang=dev.rockpool}, or {@code ALL-UNNAMED} on
   * the class path). Otherwise the virtual thread uses a fixed set of slabs that all threads share,
   * which takes somewhat longer. Either way memory does not grow with the number of virtual
   * threads. Once four of five arenas of virtual threads find no free memory for a third of a
   * second, because many threads wait inside theirs, all later arenas of virtual threads are the
   * JDK's.
   *
   * <p>Each pooled segment is aligned to 16 bytes, like memory from malloc, or to the larger
   * requested {@code byteAlignment}.
   *
   * @return a new confined arena; the current thread owns the arena and must close it
   */
  @ForceInline
  public static Arena ofConfined() {
    Pool pool;
    try {
      // If the first use meets an exhausted stack or heap, this fails until the JVM ends. The try
      // has nothing else in it: C2 sees a constant, and so compiles no exception handler.
      pool = Pool.Shared.POOL;
    } catch (LinkageError | VirtualMachineError unusable) {
      return Arena.ofConfined();
    }
    // Null on the thread that initializes the pool, if the program's own system properties object
    // opens an arena.
    if (pool == null) {
      return Arena.ofConfined();
    }
    // In the library both are the same, but for the depth of calls, see Pool.open.
    return pool.open(Pool.IN_JAVA_BASE ? NativeMemory.confinedArena() : Arena.ofConfined());
  }
}
