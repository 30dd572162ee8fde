package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
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

  /** With LWJGL's stack, too. */
  public abstract static class WithStack extends Contestants {
    /** Alignment asked of LWJGL's stack: that of malloc and of Rockpool's blocks. */
    static final int LWJGL_ALIGNMENT = 16;

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
}
