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
import java.util.Locale;

/**
 * Calls of six functions of the C library, each bound and called as people do it: an arena for each
 * call, in try-with-resources, for what the call needs in native memory. No word of Rockpool, but
 * in {@link Adapted}.
 */
@SuppressWarnings({
  "ImmutableEnumChecker", // its lambdas have no state
  "restricted" // whoever calls native code does so knowingly
})
public enum Call {
  STRLEN("of short words", i -> Functions.strlen(Functions.WORDS[i & 7])),
  CLOCK_GETTIME("into a 16-byte struct", i -> Functions.clockGettime()),
  OPEN("of no file, errno captured", i -> Functions.open(Functions.NO_FILE)),
  OPEN_ADAPTED("the same, adapted by CallState", i -> Adapted.open(Functions.NO_FILE)),
  LDIV("struct returned by value", i -> Functions.ldiv(1_000_000 + i, 97)),
  QSORT("8 ints, comparator in Java", i -> Functions.qsort(Functions.UNSORTED)[i & 7]),
  GETCWD("into a buffer of 256 bytes", i -> Functions.getcwd().length());

  private interface Measured {
    long make(int i) throws Throwable;
  }

  /** Words for what is special about this call. */
  public final String detail;

  private final Measured measured;

  Call(String detail, Measured measured) {
    this.detail = detail;
    this.measured = measured;
  }

  public String function() {
    return this == OPEN_ADAPTED ? "open" : name().toLowerCase(Locale.ROOT);
  }

  /** Makes the call for the {@code i}th time. The value depends on what the call returned. */
  long make(int i) throws Throwable {
    return measured.make(i);
  }

  /** What the first eight calls return, or that each time is a later one: equal in all JVMs. */
  String result() throws Throwable {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      long value = make(i);
      result.append(this == CLOCK_GETTIME ? "later" : value).append(' ');
    }
    return result.toString().stripTrailing();
  }

  private static MethodHandle bind(
      String name, FunctionDescriptor function, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol = linker.defaultLookup().findOrThrow(name);
    return linker.downcallHandle(symbol, function, options);
  }

  /** The functions, in a class of its own because an enum's constants are initialized first. */
  private static final class Functions {
    static final String[] WORDS = {"a", "rock", "pool", "arena", "tide", "creek", "sea", ""};
    static final String NO_FILE = "/no/such/file";
    static final int[] UNSORTED = {5, -3, 8, 1, 0, 7, -3, 2};

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
    private static long last;

    /** A time in nanoseconds, never before the last one, by a struct that the function fills in. */
    static long clockGettime() throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment time = arena.allocate(TIMESPEC);
        int result = (int) CLOCK_GETTIME.invokeExact(MONOTONIC, time);
        long nanos = (long) NANOS.get(time, 0L);
        long now = (long) SECONDS.get(time, 0L) * 1_000_000_000 + nanos;
        if (result != 0 || nanos < 0 || nanos >= 1_000_000_000 || now < last) {
          throw new IllegalStateException(
              "Not a later time: result=%s, last=%s ns, now=%s ns".formatted(result, last, now));
        }
        last = now;
        return now;
      }
    }

    // int open(const char *path, int flags, ...)

    static final int READ_ONLY = 0;
    static final FunctionDescriptor OPEN_TYPE = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(PathElement.groupElement("errno"));
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

    /** Quotient and remainder in one: a struct returned by value, into memory of the arena. */
    static long ldiv(long numerator, long denominator) throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment result =
            (MemorySegment) LDIV.invokeExact((SegmentAllocator) arena, numerator, denominator);
        return (long) QUOTIENT.get(result, 0L) + (long) REMAINDER.get(result, 0L);
      }
    }

    // void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))

    private static final MethodHandle QSORT =
        bind("qsort", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    private static final MemorySegment COMPARE_INTS = compareIntsStub();

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
        MethodHandle comparator =
            MethodHandles.lookup()
                .findStatic(
                    Functions.class,
                    "compareInts",
                    MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        var pointer = ADDRESS.withTargetLayout(JAVA_INT);
        FunctionDescriptor function = FunctionDescriptor.of(JAVA_INT, pointer, pointer);
        return Linker.nativeLinker().upcallStub(comparator, function, Arena.global());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("compareInts", e);
      }
    }

    // char *getcwd(char *buffer, size_t size)

    private static final MethodHandle GETCWD =
        bind("getcwd", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG));

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
  }

  /** A call that reports through {@code errno}, as Rockpool's library makes it. */
  private static final class Adapted {
    private static final MethodHandle OPEN =
        CallState.ERRNO.adapt(
            bind(
                "open",
                Functions.OPEN_TYPE,
                Linker.Option.firstVariadicArg(2),
                CallState.ERRNO.option()));

    /** Opens a file for reading: its descriptor, or the negated errno. */
    static int open(String path) throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        return (int) OPEN.invokeExact(arena.allocateFrom(path), Functions.READ_ONLY);
      }
    }
  }
}
