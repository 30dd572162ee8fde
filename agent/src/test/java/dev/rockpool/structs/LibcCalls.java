package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Random;

/**
 * Functions of the C library that pass structs by value, or call back code that does. Prints the
 * class of the arenas that it uses.
 */
@SuppressWarnings("restricted")
final class LibcCalls {
  private static final StructLayout INTS = MemoryLayout.structLayout(JAVA_INT, JAVA_INT);
  private static final StructLayout LONGS = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);
  private static final StructLayout IN_ADDR = MemoryLayout.structLayout(JAVA_INT);

  private static final MethodHandle DIV =
      Native.libcFunction("div", FunctionDescriptor.of(INTS, JAVA_INT, JAVA_INT));
  private static final MethodHandle LDIV =
      Native.libcFunction("ldiv", FunctionDescriptor.of(LONGS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle LLDIV =
      Native.libcFunction("lldiv", FunctionDescriptor.of(LONGS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle INET_NTOA =
      Native.libcFunction("inet_ntoa", FunctionDescriptor.of(ADDRESS, IN_ADDR));
  private static final MethodHandle QSORT =
      Native.libcFunction(
          "qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
  private static final MethodHandle BSEARCH =
      Native.libcFunction(
          "bsearch",
          FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));

  /** For {@code qsort} and {@code bsearch}: numbers are ordered by remainder, then by size. */
  private static final long MODULUS = 1000;

  private static final int LENGTH = 500;

  private final Findings findings;

  private LibcCalls(Findings findings) {
    this.findings = findings;
  }

  public static void main(String[] args) throws Exception {
    Findings findings = new Findings();
    Runnable calls = new LibcCalls(findings)::callAll;
    calls.run();
    Thread.ofVirtual().start(calls).join();
    findings.exitIfAny();
    try (Arena arena = Arena.ofConfined()) {
      System.out.println(arena.getClass().getName());
    }
  }

  private void callAll() {
    try (Arena arena = Arena.ofConfined()) {
      divide(arena);
      sortAndSearch(arena);
      String text = inetNtoa(arena, 127, 0, 2, 1);
      findings.check(text.equals("127.0.2.1"), "inet_ntoa: %s", text);
    } catch (Throwable failure) {
      findings.add(failure.toString());
    }
  }

  private void divide(SegmentAllocator allocator) throws Throwable {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      long number = random.nextLong();
      long by = random.nextInt() | 1;
      MemorySegment ints = (MemorySegment) DIV.invokeExact(allocator, (int) number, (int) by);
      findings.checkEqual((int) number / (int) by, ints.get(JAVA_INT, 0), "div quotient");
      findings.checkEqual((int) number % (int) by, ints.get(JAVA_INT, 4), "div remainder");
      MemorySegment longs = (MemorySegment) LDIV.invokeExact(allocator, number, by);
      findings.checkEqual(number / by, longs.get(JAVA_LONG, 0), "ldiv quotient");
      findings.checkEqual(number % by, longs.get(JAVA_LONG, 8), "ldiv remainder");
      MemorySegment more = (MemorySegment) LLDIV.invokeExact(allocator, number, by);
      findings.check(more.mismatch(longs) < 0, "lldiv is not ldiv");
    }
  }

  private void sortAndSearch(Arena arena) throws Throwable {
    MemorySegment compare =
        Native.pointerTo(
            MethodHandles.lookup(),
            this,
            "compare",
            FunctionDescriptor.of(
                JAVA_INT, ADDRESS.withTargetLayout(JAVA_LONG), ADDRESS.withTargetLayout(JAVA_LONG)),
            arena);
    long[] numbers = new Random(2).longs(LENGTH, 0, Long.MAX_VALUE).toArray();
    MemorySegment array = arena.allocateFrom(JAVA_LONG, numbers);
    QSORT.invokeExact(array, (long) LENGTH, 8L, compare);

    long[] sorted =
        Arrays.stream(numbers).boxed().sorted(LibcCalls::inJava).mapToLong(n -> n).toArray();
    findings.check(Arrays.equals(sorted, array.toArray(JAVA_LONG)), "qsort");
    for (int i = 0; i < LENGTH; i++) {
      MemorySegment key = arena.allocateFrom(JAVA_LONG, sorted[i]);
      MemorySegment found =
          (MemorySegment) BSEARCH.invokeExact(key, array, (long) LENGTH, 8L, compare);
      findings.checkEqual(array.address() + 8L * i, found.address(), "bsearch %d", i);
    }
  }

  private static int inJava(long a, long b) {
    int byRest = Long.compare(a % MODULUS, b % MODULUS);
    return byRest != 0 ? byRest : Long.compare(a, b);
  }

  /** Called by C, and itself calls a function that returns a struct. */
  @SuppressWarnings("unused") // by C
  private int compare(MemorySegment a, MemorySegment b) {
    long first = a.get(JAVA_LONG, 0);
    long second = b.get(JAVA_LONG, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment left =
          (MemorySegment) LDIV.invokeExact((SegmentAllocator) arena, first, MODULUS);
      MemorySegment right =
          (MemorySegment) LDIV.invokeExact((SegmentAllocator) arena, second, MODULUS);
      int byRest = Long.compare(left.get(JAVA_LONG, 8), right.get(JAVA_LONG, 8));
      return byRest != 0 ? byRest : Long.compare(first, second);
    } catch (Throwable failure) {
      findings.add("in compare: " + failure);
      return 0;
    }
  }

  private static String inetNtoa(SegmentAllocator allocator, int... bytes) throws Throwable {
    MemorySegment address = allocator.allocate(IN_ADDR);
    for (int i = 0; i < bytes.length; i++) {
      address.set(JAVA_BYTE, i, (byte) bytes[i]);
    }
    return ((MemorySegment) INET_NTOA.invokeExact(address)).reinterpret(16).getString(0);
  }
}
