package dev.rockpool.direct;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The C library's {@code qsort}, a call that calls back: so a test can act while it runs. */
@SuppressWarnings("restricted")
interface Comparing {
  MethodHandle QSORT =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("qsort"),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));

  int compare(MemorySegment a, MemorySegment b);

  /** Has qsort compare {@code count} ints. */
  static void sort(MemorySegment numbers, long count, MemorySegment upcall) {
    try {
      QSORT.invokeExact(numbers, count, (long) Integer.BYTES, upcall);
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /** The function that qsort is to call, for as long as {@code arena} is open. */
  default MemorySegment upcall(Arena arena) throws ReflectiveOperationException {
    AddressLayout element = ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT);
    MethodHandle compare =
        MethodHandles.lookup()
            .findVirtual(
                Comparing.class,
                "compare",
                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class))
            .bindTo(this);
    return Linker.nativeLinker()
        .upcallStub(compare, FunctionDescriptor.of(ValueLayout.JAVA_INT, element, element), arena);
  }
}
