package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** A few functions of the C library, to see arenas at work with native code. */
@SuppressWarnings("restricted")
final class LibC {
  /** Compares what the two pointers of a qsort comparator point to. */
  @FunctionalInterface
  interface LongComparator {
    int compare(long a, long b);
  }

  private static final Linker LINKER = Linker.nativeLinker();
  private static final AddressLayout POINTER_TO_LONG = ADDRESS.withTargetLayout(JAVA_LONG);
  private static final StructLayout LLDIV_T =
      MemoryLayout.structLayout(JAVA_LONG.withName("quot"), JAVA_LONG.withName("rem"));

  private static final MethodHandle STRLEN =
      function("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
  private static final MethodHandle MEMSET =
      function("memset", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG));
  private static final MethodHandle QSORT =
      function("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
  private static final MethodHandle LLDIV =
      function("lldiv", FunctionDescriptor.of(LLDIV_T, JAVA_LONG, JAVA_LONG));

  private static final MethodHandle COMPARE = compareHandle();

  private LibC() {}

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }

  static long strlen(MemorySegment text) throws Throwable {
    return (long) STRLEN.invokeExact(text);
  }

  /** Fills all of {@code memory}. */
  static void memset(MemorySegment memory, int value) throws Throwable {
    MemorySegment _ = (MemorySegment) MEMSET.invokeExact(memory, value, memory.byteSize());
  }

  /** Quotient and remainder, a struct returned by value. */
  static MemorySegment lldiv(SegmentAllocator result, long numerator, long denominator)
      throws Throwable {
    return (MemorySegment) LLDIV.invokeExact(result, numerator, denominator);
  }

  /** Sorts; {@code stub} owns the code that calls the comparator. */
  static void qsort(MemorySegment longs, Arena stub, LongComparator comparator) throws Throwable {
    // What leaves an upcall ends the JVM, so it is kept until the downcall is over.
    Throwable[] failure = new Throwable[1];
    LongComparator catching =
        (a, b) -> {
          try {
            return comparator.compare(a, b);
          } catch (Throwable thrown) {
            failure[0] = thrown;
            return Long.compare(a, b);
          }
        };
    MethodHandle compare = COMPARE.bindTo(catching);
    MemorySegment pointer =
        LINKER.upcallStub(
            compare, FunctionDescriptor.of(JAVA_INT, POINTER_TO_LONG, POINTER_TO_LONG), stub);
    long count = longs.byteSize() / Long.BYTES;
    QSORT.invokeExact(longs, count, (long) Long.BYTES, pointer);
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  private static MethodHandle compareHandle() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              LibC.class,
              "compare",
              MethodType.methodType(
                  int.class, LongComparator.class, MemorySegment.class, MemorySegment.class));
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static int compare(LongComparator comparator, MemorySegment a, MemorySegment b) {
    return comparator.compare(a.get(JAVA_LONG, 0), b.get(JAVA_LONG, 0));
  }

  /** Reads memory whatever its arena says: that of closed arenas, too. */
  static byte[] peek(long address, long byteSize) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize).toArray(JAVA_BYTE);
  }
}
