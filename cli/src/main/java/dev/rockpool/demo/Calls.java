package dev.rockpool.demo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rockpool.call.CallState;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * Six functions of the C library, each bound and called as people do it: an arena for each call, in
 * try-with-resources, for what the call needs in native memory. No word of Rockpool, but in {@link
 * Adapted}.
 */
@SuppressWarnings("restricted") // whoever calls native code does so knowingly
final class Calls {
  private static final Linker LINKER = Linker.nativeLinker();

  private Calls() {}

  private static MethodHandle bind(
      String name, FunctionDescriptor function, Linker.Option... options) {
    MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
    return LINKER.downcallHandle(symbol, function, options);
  }

  // size_t strlen(const char *s)

  private static final MethodHandle STRLEN =
      bind("strlen", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

  /** The length of a string, which is copied into native memory. */
  static long strlen(String text) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return (long) STRLEN.invokeExact(arena.allocateFrom(text));
    }
  }

  // int clock_gettime(clockid_t clock, struct timespec *time)

  /** CLOCK_MONOTONIC. */
  private static final int MONOTONIC = System.getProperty("os.name").startsWith("Mac") ? 6 : 1;

  private static final StructLayout TIMESPEC =
      MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));
  private static final VarHandle SECONDS = TIMESPEC.varHandle(PathElement.groupElement("tv_sec"));
  private static final VarHandle NANOS = TIMESPEC.varHandle(PathElement.groupElement("tv_nsec"));
  private static final MethodHandle CLOCK_GETTIME =
      bind("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  /** A struct of 16 bytes, which a function fills in. */
  record Time(long seconds, long nanos) {}

  static Time clockGettime() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(TIMESPEC);
      int result = (int) CLOCK_GETTIME.invokeExact(MONOTONIC, time);
      if (result != 0) {
        throw new IllegalStateException("clock_gettime returned " + result);
      }
      return new Time((long) SECONDS.get(time, 0L), (long) NANOS.get(time, 0L));
    }
  }

  // int open(const char *path, int flags, ...)

  private static final int READ_ONLY = 0;
  private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = CAPTURED.varHandle(PathElement.groupElement("errno"));
  private static final FunctionDescriptor OPEN_TYPE =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle OPEN =
      bind(
          "open",
          OPEN_TYPE,
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));

  /** Opens a file for reading: its descriptor, or the negated errno. */
  static int open(String path) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment captured = arena.allocate(CAPTURED);
      int file = (int) OPEN.invokeExact(captured, arena.allocateFrom(path), READ_ONLY);
      return file >= 0 ? file : -(int) ERRNO.get(captured, 0L);
    }
  }

  // ldiv_t ldiv(long numerator, long denominator)

  private static final StructLayout LDIV_T =
      MemoryLayout.structLayout(JAVA_LONG.withName("quot"), JAVA_LONG.withName("rem"));
  private static final VarHandle QUOTIENT = LDIV_T.varHandle(PathElement.groupElement("quot"));
  private static final VarHandle REMAINDER = LDIV_T.varHandle(PathElement.groupElement("rem"));
  private static final MethodHandle LDIV =
      bind("ldiv", FunctionDescriptor.of(LDIV_T, JAVA_LONG, JAVA_LONG));

  /** A struct that a function returns by value, into memory of the arena. */
  record Division(long quotient, long remainder) {}

  static Division ldiv(long numerator, long denominator) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result =
          (MemorySegment) LDIV.invokeExact((SegmentAllocator) arena, numerator, denominator);
      return new Division((long) QUOTIENT.get(result, 0L), (long) REMAINDER.get(result, 0L));
    }
  }

  // void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))

  private static final MethodHandle QSORT =
      bind("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
  private static final MemorySegment COMPARE_INTS = compareIntsStub();

  /** Sorts a copy of {@code values}, with a comparator in Java. */
  static int[] qsort(int... values) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment array = arena.allocateFrom(JAVA_INT, values);
      QSORT.invokeExact(array, (long) values.length, JAVA_INT.byteSize(), COMPARE_INTS);
      return array.toArray(JAVA_INT);
    }
  }

  @SuppressWarnings("UnusedMethod") // called by qsort
  private static int compareInts(MemorySegment a, MemorySegment b) {
    return Integer.compare(a.get(JAVA_INT, 0), b.get(JAVA_INT, 0));
  }

  private static MemorySegment compareIntsStub() {
    try {
      MethodType type = MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class);
      MethodHandle comparator = MethodHandles.lookup().findStatic(Calls.class, "compareInts", type);
      var pointer = ADDRESS.withTargetLayout(JAVA_INT);
      FunctionDescriptor function = FunctionDescriptor.of(JAVA_INT, pointer, pointer);
      return LINKER.upcallStub(comparator, function, Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("compareInts", e);
    }
  }

  // char *getcwd(char *buffer, size_t size)

  private static final MethodHandle GETCWD =
      bind("getcwd", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG));

  /** The working directory, by way of a buffer that is doubled until the name fits. */
  static String getcwd() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      for (long size = 256; size <= 65536; size *= 2) {
        MemorySegment buffer = arena.allocate(size);
        MemorySegment result = (MemorySegment) GETCWD.invokeExact(buffer, size);
        if (!result.equals(MemorySegment.NULL)) {
          return buffer.getString(0);
        }
      }
      throw new IllegalStateException("getcwd wants more than 65536 bytes");
    }
  }

  /** A call that reports through {@code errno}, as Rockpool's library makes it. */
  static final class Adapted {
    private static final MethodHandle OPEN =
        CallState.ERRNO.adapt(
            bind("open", OPEN_TYPE, Linker.Option.firstVariadicArg(2), CallState.ERRNO.option()));

    private Adapted() {}

    /** Opens a file for reading: its descriptor, or the negated errno. */
    static int open(String path) throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        return (int) OPEN.invokeExact(arena.allocateFrom(path), READ_ONLY);
      }
    }
  }
}
