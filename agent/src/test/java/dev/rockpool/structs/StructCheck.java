package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** All functions of one struct, called and compared with C's own results. */
final class StructCheck {
  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

  private final CStruct struct;
  private final CStruct other;
  private final Findings findings;

  private final MethodHandle take;
  private final MethodHandle make;
  private final MethodHandle invert;
  private final MethodHandle call;
  private final FunctionDescriptor structToStruct;

  /** Only if the struct is mixed with others. */
  private MethodHandle mixed;

  private MethodHandle mixedInC;
  private MethodHandle callMixed;
  private MethodHandle sum;
  private MethodHandle sumInC;
  private MethodHandle fail;
  private MethodHandle critical;
  private FunctionDescriptor mixture;

  StructCheck(CStruct struct, Findings findings) {
    this.struct = struct;
    this.other = Structs.next(Structs.MIXED, struct);
    this.findings = findings;
    MemoryLayout layout = struct.layout();
    structToStruct = FunctionDescriptor.of(layout, layout);
    take = function("take", FunctionDescriptor.of(JAVA_LONG, layout));
    make = function("make", FunctionDescriptor.of(layout, JAVA_LONG));
    invert = function("invert", structToStruct);
    call = function("call", FunctionDescriptor.of(layout, ADDRESS, layout));
    if (struct.isMixed()) {
      linkMixed(layout, other.layout());
    }
  }

  private void linkMixed(MemoryLayout s, MemoryLayout t) {
    mixture =
        FunctionDescriptor.of(
            s,
            JAVA_BYTE,
            s,
            JAVA_DOUBLE,
            t,
            JAVA_FLOAT,
            s,
            JAVA_LONG,
            t,
            JAVA_INT,
            JAVA_DOUBLE,
            JAVA_FLOAT,
            JAVA_DOUBLE,
            JAVA_DOUBLE,
            JAVA_DOUBLE,
            s,
            JAVA_LONG,
            JAVA_SHORT);
    mixed = function("mixed", mixture);
    mixedInC = function("mixed_in_c", FunctionDescriptor.of(s, JAVA_LONG));
    callMixed = function("call_mixed", FunctionDescriptor.of(s, ADDRESS, JAVA_LONG));
    sum =
        function(
            "sum",
            FunctionDescriptor.of(
                JAVA_LONG,
                JAVA_INT,
                s,
                JAVA_DOUBLE,
                JAVA_LONG,
                s,
                JAVA_DOUBLE,
                JAVA_LONG,
                s,
                JAVA_DOUBLE,
                JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    sumInC = function("sum_in_c", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    fail =
        function(
            "fail", FunctionDescriptor.of(s, s, JAVA_INT), Linker.Option.captureCallState("errno"));
    critical = function("invert", structToStruct, Linker.Option.critical(false));
  }

  private MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return Native.ourFunction(struct.name() + "_" + name, descriptor, options);
  }

  /** Compares what C thinks of the struct's shape. */
  void checkShape() throws Throwable {
    MethodHandle size = function("size", FunctionDescriptor.of(JAVA_LONG));
    long expected = (long) size.invokeExact();
    long alignment = struct.layout().byteAlignment();
    findings.checkEqual(
        expected, struct.layout().byteSize() | alignment << 32, "shape of %s", struct);
  }

  /** Calls everything once, with values made from the seed. */
  void check(long seed) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment own = struct.make(arena, seed);
      long hash = struct.hash(own);
      findings.checkEqual(hash, (long) take.invokeExact(own), "taken: %s", struct);
      compare(own, (MemorySegment) make.invokeExact((SegmentAllocator) arena, seed), "made");

      MemorySegment turned = struct.turn(struct.make(arena, seed));
      compare(
          turned, (MemorySegment) invert.invokeExact((SegmentAllocator) arena, own), "inverted");
      findings.checkEqual(hash, struct.hash(own), "argument after the call: %s", struct);
      checkUpcall(arena, own, turned);
      if (struct.isMixed()) {
        checkMixed(arena, seed);
        checkVariadic(arena, seed);
        checkOptions(arena, own, turned);
      }
    }
  }

  private void checkUpcall(Arena arena, MemorySegment own, MemorySegment turned) throws Throwable {
    Callee callee = new Callee(arena, struct.hash(own));
    MemorySegment pointer =
        Native.pointerTo(MethodHandles.lookup(), callee, "invert", structToStruct, arena);
    MemorySegment result = (MemorySegment) call.invokeExact((SegmentAllocator) arena, pointer, own);
    compare(turned, result, "returned from Java");
    findings.check(callee.calls == 1, "%d calls: %s", callee.calls, struct);
  }

  private void checkMixed(Arena arena, long x) throws Throwable {
    MemorySegment expected = (MemorySegment) mixedInC.invokeExact((SegmentAllocator) arena, x);
    MemorySegment result =
        (MemorySegment)
            mixed.invokeExact(
                (SegmentAllocator) arena,
                (byte) x,
                struct.make(arena, x + 1),
                (double) (x + 2),
                other.make(arena, x + 3),
                (float) (x + 4),
                struct.make(arena, x + 5),
                x + 6,
                other.make(arena, x + 7),
                (int) (x + 8),
                (double) (x + 9),
                (float) (x + 10),
                (double) (x + 11),
                (double) (x + 12),
                (double) (x + 13),
                struct.make(arena, x + 14),
                x + 15,
                (short) (x + 16));
    compare(expected, result, "mixed with other arguments");

    Callee callee = new Callee(arena, 0);
    MemorySegment pointer =
        Native.pointerTo(MethodHandles.lookup(), callee, "mixed", mixture, arena);
    result = (MemorySegment) callMixed.invokeExact((SegmentAllocator) arena, pointer, x);
    compare(expected, result, "mixed by Java");
  }

  private void checkVariadic(Arena arena, long x) throws Throwable {
    long result =
        (long)
            sum.invokeExact(
                3,
                struct.make(arena, x),
                (double) x,
                x,
                struct.make(arena, x + 1),
                (double) (x + 1),
                x + 1,
                struct.make(arena, x + 2),
                (double) (x + 2),
                x + 2);
    findings.checkEqual((long) sumInC.invokeExact(x), result, "variadic: %s", struct);
  }

  private void checkOptions(Arena arena, MemorySegment own, MemorySegment turned) throws Throwable {
    MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
    MemorySegment failed =
        (MemorySegment) fail.invokeExact((SegmentAllocator) arena, state, own, 17);
    compare(turned, failed, "returned with errno");
    findings.checkEqual(17, (int) ERRNO.get(state, 0L), "errno: %s", struct);

    MemorySegment fast = (MemorySegment) critical.invokeExact((SegmentAllocator) arena, own);
    compare(turned, fast, "inverted in a critical call");
  }

  private void compare(MemorySegment expected, MemorySegment found, String what) {
    if (struct.hash(expected) != struct.hash(found)) {
      findings.add(what + ", differs in " + struct.difference(expected, found) + ": " + struct);
    }
  }

  /** Called by C, with structs by value; calls C again, with structs by value. */
  private final class Callee {
    private final Arena arena;
    private final long expected;
    private int calls;

    Callee(Arena arena, long expected) {
      this.arena = arena;
      this.expected = expected;
    }

    @SuppressWarnings("unused") // by C
    MemorySegment invert(MemorySegment argument) {
      calls++;
      findings.checkEqual(expected, struct.hash(argument), "argument in Java: %s", struct);
      MemorySegment result = struct.turn(arena.allocate(struct.layout()).copyFrom(argument));
      try {
        compare(
            result,
            (MemorySegment) invert.invokeExact((SegmentAllocator) arena, argument),
            "inverted inside an upcall");
      } catch (Throwable failure) {
        findings.add(failure + ": " + struct);
      }
      findings.checkEqual(
          expected, struct.hash(argument), "argument in Java, after a call: %s", struct);
      return result;
    }

    @SuppressWarnings("unused") // by C
    MemorySegment mixed(
        byte a,
        MemorySegment b,
        double c,
        MemorySegment d,
        float e,
        MemorySegment f,
        long g,
        MemorySegment h,
        int i,
        double j,
        float k,
        double l,
        double m,
        double n,
        MemorySegment o,
        long p,
        short q) {
      long all = CStruct.mix(0, a);
      all = CStruct.mix(all, struct.hash(b));
      all = CStruct.mix(all, Double.doubleToRawLongBits(c));
      all = CStruct.mix(all, other.hash(d));
      all = CStruct.mix(all, Float.floatToRawIntBits(e));
      all = CStruct.mix(all, struct.hash(f));
      all = CStruct.mix(all, g);
      all = CStruct.mix(all, other.hash(h));
      all = CStruct.mix(all, i);
      all = CStruct.mix(all, Double.doubleToRawLongBits(j));
      all = CStruct.mix(all, Float.floatToRawIntBits(k));
      all = CStruct.mix(all, Double.doubleToRawLongBits(l));
      all = CStruct.mix(all, Double.doubleToRawLongBits(m));
      all = CStruct.mix(all, Double.doubleToRawLongBits(n));
      all = CStruct.mix(all, struct.hash(o));
      all = CStruct.mix(all, p);
      all = CStruct.mix(all, q);
      return struct.make(arena, all);
    }
  }
}
