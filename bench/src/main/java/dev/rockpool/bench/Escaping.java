package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * One allocation of 20 bytes in an arena that the compiler can't see through: arena and segment are
 * passed to a method that is not inlined, which keeps them in fields. So they are real objects, and
 * garbage afterwards.
 *
 * <p>The bytes of garbage per arena matter as much as the time.
 */
public class Escaping extends Contestants {
  private static final int SIZE = 20;

  // Not private, or they would pass for unused.
  Arena escapedArena = Arena.global();
  MemorySegment escapedSegment = MemorySegment.NULL;

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private long escape(Arena arena, MemorySegment segment) {
    escapedArena = arena;
    escapedSegment = segment;
    return segment.address();
  }

  @Override
  long use(Arena arena) {
    return escape(arena, arena.allocate(SIZE));
  }
}
