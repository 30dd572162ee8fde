package dev.rockpool.call;

import java.io.Serial;

/**
 * Thrown by handles of {@link CallState#check(java.lang.invoke.MethodHandle, Failure)} if the
 * native function has failed. Carries the error code that the function left behind. Handles of
 * {@link CallState#adapt(java.lang.invoke.MethodHandle, Failure)} return the negated code instead.
 *
 * @since 0.1.0
 */
public final class NativeCallException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Error code as the function left it. */
  private final int code;

  /** Symbolic name, such as ENOENT. */
  private final String name;

  /** The system's text for the code, or empty. */
  private final String text;

  /** Name of the function, or empty. */
  private final String function;

  NativeCallException(CallState state, int code, String function, String result) {
    String name = state.nameOf(code);
    String text = state.textOf(code);
    super(message(code, name, text, function, result));
    this.code = code;
    this.name = name;
    this.text = text;
    this.function = function;
  }

  private static String message(
      int code, String name, String text, String function, String result) {
    String failed = (function.isEmpty() ? "The native call" : function) + " returned " + result;
    if (code == 0) {
      return failed + ", and left no error code";
    }
    String number = name.endsWith(" " + Integer.toUnsignedString(code)) ? "" : " (" + code + ")";
    return failed + ": " + name + number + (text.isEmpty() ? "" : ", " + text);
  }

  /**
   * Returns the error code, of {@code errno}, {@code GetLastError} or {@code WSAGetLastError}.
   *
   * @return the code as the function left it; 0 if the function left none (see {@link CallState}
   *     for JDK 25 and 26)
   */
  public int code() {
    return code;
  }

  /**
   * Returns the symbolic name of the code. For {@code errno} it is the name of the C library's
   * constant, such as {@code ENOENT}, if known.
   *
   * @return the name; otherwise the kind of code and its number, such as {@code GetLastError 5}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the system's text for the code, in the user's language.
   *
   * @return a text such as {@code No such file or directory}; empty if the system has none, as for
   *     {@code GetLastError} and {@code WSAGetLastError}
   */
  public String text() {
    return text;
  }

  /**
   * Returns the name of the function.
   *
   * @return the name passed when the handle was made; empty if none was
   */
  public String function() {
    return function;
  }
}
