package dev.rockpool.bench.program;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A binding of six functions of the C library, in the style that most bindings have: each call has
 * an arena of its own, for strings and for what the function fills in.
 */
@SuppressWarnings("restricted")
public final class Binding {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;

  private static final MethodHandle STRLEN = function("strlen", LONG, POINTER);
  private static final MethodHandle ATOI = function("atoi", INT, POINTER);
  private static final MethodHandle GETENV = function("getenv", POINTER, POINTER);
  private static final MethodHandle TIME = function("time", LONG, POINTER);
  private static final MethodHandle FREXP =
      function("frexp", ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE, POINTER);
  private static final MethodHandle STRTOL = function("strtol", LONG, POINTER, POINTER, INT);

  private Binding() {}

  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, parameters));
  }

  static long strlen(String text) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return (long) STRLEN.invokeExact(arena.allocateFrom(text));
    }
  }

  /** The same, after a wait inside the arena. */
  static long strlenAfter(int millis, String text) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(text);
      Thread.sleep(millis);
      return (long) STRLEN.invokeExact(copy);
    }
  }

  private static int atoi(String text) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return (int) ATOI.invokeExact(arena.allocateFrom(text));
    }
  }

  private static boolean hasVariable(String name) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return ((MemorySegment) GETENV.invokeExact(arena.allocateFrom(name))).address() != 0;
    }
  }

  private static long time() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment seconds = arena.allocate(LONG);
      return (long) TIME.invokeExact(seconds) - seconds.get(LONG, 0);
    }
  }

  private static int exponent(double number) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment exponent = arena.allocate(INT);
      double fraction = (double) FREXP.invokeExact(number, exponent);
      return fraction < 1 ? exponent.get(INT, 0) : 0;
    }
  }

  private static long digits(String text) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment end = arena.allocate(POINTER);
      MemorySegment start = arena.allocateFrom(text);
      long number = (long) STRTOL.invokeExact(start, end, 10);
      return number == 0 ? 0 : end.get(POINTER, 0).address() - start.address();
    }
  }

  /** Makes as many calls as the argument says. */
  public static void main(String[] args) throws Throwable {
    long sum = 0;
    for (long calls = Long.parseLong(args[0]); calls > 0; calls -= 6) {
      sum += strlen("hello world");
      sum += atoi("4711");
      sum += hasVariable("HOME_" + (calls & 7)) ? 1 : 0;
      sum += time();
      sum += exponent((double) calls);
      sum += digits("1234 x");
    }
    System.out.println(sum);
  }
}
