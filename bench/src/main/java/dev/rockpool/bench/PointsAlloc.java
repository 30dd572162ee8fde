package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A struct of two doubles that a function returns by value, for which the linker needs a buffer, or
 * writes where it is told to. The names are those of a proposal for the JDK. The memory for the
 * result is made once, so that what is measured is the linker's.
 */
public class PointsAlloc extends ArenaBenchmark {
  private static final StructLayout POINT =
      MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE);
  static final MethodHandle BY_VALUE =
      NativeFunctions.downcall(
          "circle_by_value", FunctionDescriptor.of(POINT, ValueLayout.JAVA_DOUBLE));
  private static final MethodHandle BY_PTR =
      NativeFunctions.downcall(
          "circle_by_ptr", FunctionDescriptor.ofVoid(ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS));
  private static final MemorySegment RESULT = Arena.global().allocate(POINT);
  private static final SegmentAllocator TO_RESULT = (byteSize, byteAlignment) -> RESULT;

  private double radius = 5;

  @Benchmark
  public double circle_by_value() throws Throwable {
    MemorySegment point = (MemorySegment) BY_VALUE.invokeExact(TO_RESULT, radius);
    return point.get(ValueLayout.JAVA_DOUBLE, 0);
  }

  @Benchmark
  public double circle_by_ptr() throws Throwable {
    BY_PTR.invokeExact(radius, RESULT);
    return RESULT.get(ValueLayout.JAVA_DOUBLE, 0);
  }
}
