package dev.rockpool.call;

import java.io.Serial;

/**
 * A native function has failed, and left a code behind that says why. Thrown by handles that {@link
 * CallState#check(java.lang.invoke.MethodHandle, Failure)} made.
 */
public final class NativeCallException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** As the function left it. */
  private final int code;

  /** Of the code. */
  private final String name;

  /** Of the system, or empty. */
  private final String text;

  /** Empty if it has no name. */
  private final String function;

  NativeCallException(CallState state, int code, String function, String result) {
    this(code, state.nameOf(code), state.textOf(code), function, result);
  }

  private NativeCallException(int code, String name, String text, String function, String result) {
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
   * The code: of {@code errno}, {@code GetLastError} or {@code WSAGetLastError}.
   *
   * @return as the function left it; 0 if it left none
   */
  public int code() {
    return code;
  }

  /**
   * What the code is called: for {@code errno} the name of the C library's constant, {@code
   * ENOENT}, where that is known.
   *
   * @return the name; or the kind of code and its number, {@code GetLastError 5}
   */
  public String name() {
    return name;
  }

  /**
   * What the system says of the code, in the language of its user.
   *
   * @return a text such as {@code No such file or directory}; empty if the system can't be asked,
   *     as for the codes of Windows
   */
  public String text() {
    return text;
  }

  /**
   * The name of the function.
   *
   * @return as it was given when the handle was made; empty if none was
   */
  public String function() {
    return function;
  }
}
