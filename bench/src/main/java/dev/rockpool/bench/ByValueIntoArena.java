package dev.rockpool.bench;

import static dev.rockpool.bench.PointsAlloc.BY_VALUE;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * A struct that a function returns by value, into an arena of this call, as bindings do it: two
 * allocations, one of the linker's and one of the program's.
 *
 * <p>Compiled by itself, as a binding's method is: the body of JMH's loop is parsed twice, and a
 * call with its two arenas takes 12,000 to 14,000 nodes of C2's budget of 18,000.
 */
public class ByValueIntoArena extends ArenaBenchmark {
  private double radius = 5;

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public double jdk() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment point = (MemorySegment) BY_VALUE.invokeExact((SegmentAllocator) arena, radius);
      return point.get(ValueLayout.JAVA_DOUBLE, 0);
    }
  }

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public double rockpool() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment point = (MemorySegment) BY_VALUE.invokeExact((SegmentAllocator) arena, radius);
      return point.get(ValueLayout.JAVA_DOUBLE, 0);
    }
  }
}
