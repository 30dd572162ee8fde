package dev.rockpool.child;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.call.CallState;
import dev.rockpool.call.NativeCallException;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Prints the texts of error codes, in ASCII whatever the locale. */
final class ErrorTextsProbe {
  /** More than any C library has. */
  private static final int CODES = 150;

  private static final long ERRNO =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  private ErrorTextsProbe() {}

  public static void main(String[] args) throws Throwable {
    System.out.println("encoding=" + System.getProperty("native.encoding"));
    MethodType type = MethodType.methodType(int.class, MemorySegment.class, int.class);
    MethodHandle failing =
        MethodHandles.lookup().findStatic(ErrorTextsProbe.class, "failWith", type);
    MethodHandle checked = CallState.ERRNO.check(failing, "failWith");
    for (int code = 1; code < CODES; code++) {
      try {
        int result = (int) checked.invokeExact(code);
        throw new AssertionError(result);
      } catch (NativeCallException failure) {
        System.out.println("text=" + code + " " + inAscii(failure.text()));
      }
    }
  }

  private static int failWith(MemorySegment captured, int code) {
    captured.set(JAVA_INT, ERRNO, code);
    return -1;
  }

  private static String inAscii(String text) {
    StringBuilder ascii = new StringBuilder();
    text.chars()
        .forEach(c -> ascii.append(c < 0x80 ? Character.toString(c) : "\\u%04x".formatted(c)));
    return ascii.toString();
  }
}
