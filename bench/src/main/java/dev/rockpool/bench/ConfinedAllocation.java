package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * One allocation of {@code size} bytes in one arena, from opening to closing it. Up to 451 bytes
 * fit a block of the default size; the JDK serves the others.
 *
 * <p>Nothing is written to the memory: the cost of handing it out zeroed is in the arena.
 */
public class ConfinedAllocation extends Contestants.WithStack {
  @Param({"5", "20", "64", "100", "451", "1024", "4096"})
  public int size;

  @Override
  long use(Arena arena) {
    return arena.allocate(size).address();
  }

  @Override
  long use(MemoryStack stack) {
    return stack.ncalloc(LWJGL_ALIGNMENT, 1, size);
  }

  /** In one segment that is made once: neither zeroed, nor closed when the work is done. */
  @Benchmark
  public long reusedSegment() {
    return SegmentAllocator.prefixAllocator(Reused.SEGMENT).allocate(size).address();
  }

  /** The same for several allocations, one after the other. */
  @Benchmark
  public long slicingAllocator() {
    return SegmentAllocator.slicingAllocator(Reused.SEGMENT).allocate(size).address();
  }

  private static final class Reused {
    static final MemorySegment SEGMENT = Arena.global().allocate(4096, LWJGL_ALIGNMENT);

    private Reused() {}
  }
}
