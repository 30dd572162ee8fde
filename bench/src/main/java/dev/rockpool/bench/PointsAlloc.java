package dev.rockpool.bench;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * A struct of two doubles that a function returns by value, for which the linker needs a buffer, or
 * writes where a pointer says. {@code byValue} and {@code byPointer} have memory for the result
 * that is made once, so they measure the linker. {@code jdk} and {@code rockpool} open an arena for
 * the result, as bindings do.
 *
 * <p>The last two are compiled by themselves, as a binding's method is: the body of JMH's loop is
 * parsed twice, and a call with its two arenas takes 12,000 to 14,000 of C2's 18,000 nodes.
 */
public class PointsAlloc extends ArenaBenchmark {
  private static final StructLayout POINT =
      MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE);
  private static final MethodHandle BY_VALUE =
      NativeFunctions.downcall(
          "circle_by_value", FunctionDescriptor.of(POINT, ValueLayout.JAVA_DOUBLE));
  private static final MethodHandle BY_PTR =
      NativeFunctions.downcall(
          "circle_by_ptr", FunctionDescriptor.ofVoid(ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS));
  private static final MemorySegment RESULT = Arena.global().allocate(POINT);
  private static final SegmentAllocator TO_RESULT = (byteSize, byteAlignment) -> RESULT;

  private double radius = 5;

  private double byValue(SegmentAllocator allocator) throws Throwable {
    MemorySegment point = (MemorySegment) BY_VALUE.invokeExact(allocator, radius);
    return point.get(ValueLayout.JAVA_DOUBLE, 0);
  }

  @Benchmark
  public double byValue() throws Throwable {
    return byValue(TO_RESULT);
  }

  @Benchmark
  public double byPointer() throws Throwable {
    BY_PTR.invokeExact(radius, RESULT);
    return RESULT.get(ValueLayout.JAVA_DOUBLE, 0);
  }

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public double jdk() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return byValue(arena);
    }
  }

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public double rockpool() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      return byValue(arena);
    }
  }
}
