package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Upcalls on threads that C starts: to Java each of them is a new thread, which is gone after the
 * call. Argument: how many for each kind of struct.
 */
final class ForeignThreads {
  private final CStruct struct;
  private final Findings findings;
  private final MethodHandle invert;
  private final MethodHandle onThreads;
  private final FunctionDescriptor structToStruct;
  private int calls;

  private ForeignThreads(CStruct struct, Findings findings) {
    this.struct = struct;
    this.findings = findings;
    MemoryLayout layout = struct.layout();
    structToStruct = FunctionDescriptor.of(layout, layout);
    invert = Native.ourFunction(struct.name() + "_invert", structToStruct);
    onThreads =
        Native.ourFunction(
            struct.name() + "_on_threads",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, layout, JAVA_INT));
  }

  public static void main(String[] args) throws Throwable {
    int threads = Integer.parseInt(args[0]);
    Findings findings = new Findings();
    int calls = 0;
    for (CStruct struct : Structs.chain()) {
      ForeignThreads check = new ForeignThreads(struct, findings);
      check.run(threads);
      calls += check.calls;
    }
    findings.exitIfAny();
    System.out.println(calls + " calls");
  }

  private void run(int threads) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointer =
          Native.pointerTo(MethodHandles.lookup(), this, "invert", structToStruct, arena);
      MemorySegment argument = struct.make(arena, 1);
      long result = (long) onThreads.invokeExact(pointer, argument, threads);
      if (threads % 2 != 0) {
        struct.turn(argument);
      }
      findings.checkEqual(struct.hash(argument), result, "on %d threads: %s", threads, struct);
    }
  }

  /** Called by C; has C do the work. */
  @SuppressWarnings("unused") // by C
  private MemorySegment invert(MemorySegment argument) throws Throwable {
    calls++;
    long before = struct.hash(argument);
    MemorySegment result =
        (MemorySegment) invert.invokeExact((SegmentAllocator) Arena.ofAuto(), argument);
    findings.checkEqual(before, struct.hash(argument), "argument of %s", struct);
    return result;
  }
}
