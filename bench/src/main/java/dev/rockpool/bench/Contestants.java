package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A piece of work in one arena, from opening to closing it, by each contestant. A JVM that measures
 * loads one of the subclasses, so C2 knows the work and inlines it.
 */
public abstract class Contestants extends ArenaBenchmark {
  /** Does the work in an open arena. */
  abstract long use(Arena arena) throws Throwable;

  @Benchmark
  public long jdk() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return use(arena);
    }
  }

  @Benchmark
  public long rockpool() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      return use(arena);
    }
  }

  /** With pools that a program makes itself. */
  public abstract static class WithPools extends Contestants {
    @Benchmark
    public long ownPool() throws Throwable {
      try (Arena arena = OwnPool.POOL.take()) {
        return use(arena);
      }
    }

    @Benchmark
    public long threadLocalPool() throws Throwable {
      try (Arena arena = ThreadLocalPool.open()) {
        return use(arena);
      }
    }
  }

  /** With LWJGL's stack, too. */
  public abstract static class WithStack extends WithPools {
    /**
     * Does the work on LWJGL's stack: zeroed when handed out, not when given back, and usable by
     * anyone at any time, which is less safe.
     */
    abstract long use(MemoryStack stack) throws Throwable;

    @Benchmark
    public long lwjglStack() throws Throwable {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        return use(stack);
      }
    }
  }

  /** One allocation, of any size. */
  public abstract static class OfOneAllocation extends WithStack {
    /**
     * Bytes asked for. A method, because JMH takes a parameter's values from where its field is.
     */
    abstract int size();

    @Override
    long use(Arena arena) {
      return arena.allocate(size()).address();
    }

    @Override
    long use(MemoryStack stack) {
      return stack.ncalloc(LWJGL_ALIGNMENT, 1, size());
    }

    /** In one segment that is made once: neither zeroed, nor closed when the work is done. */
    @Benchmark
    public long reusedSegment() {
      return SegmentAllocator.prefixAllocator(Reused.SEGMENT).allocate(size()).address();
    }

    /** The same for several allocations, one after the other. */
    @Benchmark
    public long slicingAllocator() {
      return SegmentAllocator.slicingAllocator(Reused.SEGMENT).allocate(size()).address();
    }

    private static final class Reused {
      static final MemorySegment SEGMENT = Arena.global().allocate(4096, LWJGL_ALIGNMENT);

      private Reused() {}
    }
  }
}
