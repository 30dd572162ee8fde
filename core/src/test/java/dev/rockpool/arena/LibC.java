package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/** A function of the C library that calls back, to see arenas while native code uses them. */
@SuppressWarnings("restricted")
final class LibC {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final AddressLayout POINTER = ADDRESS.withTargetLayout(JAVA_LONG);
  private static final MethodHandle QSORT =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("qsort"),
          FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));

  private LibC() {}

  /** Sorts, and runs a task at each comparison; {@code stub} owns the code that is called back. */
  static void qsort(MemorySegment longs, Arena stub, ThreadKind.Task task) throws Throwable {
    Comparison comparison = new Comparison(task, new ArrayList<>());
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, POINTER, POINTER);
    MethodHandle compare = MethodHandles.lookup().bind(comparison, "compare", type.toMethodType());
    MemorySegment pointer = LINKER.upcallStub(compare, type, stub);
    QSORT.invokeExact(longs, longs.byteSize() / Long.BYTES, (long) Long.BYTES, pointer);
    for (Throwable failure : comparison.failures) {
      throw failure;
    }
  }

  /** What leaves an upcall ends the JVM, so it is kept until the downcall is over. */
  private record Comparison(ThreadKind.Task task, List<Throwable> failures) {
    int compare(MemorySegment a, MemorySegment b) {
      try {
        task.run();
      } catch (Throwable thrown) {
        failures.add(thrown);
      }
      return Long.compare(a.get(JAVA_LONG, 0), b.get(JAVA_LONG, 0));
    }
  }
}
