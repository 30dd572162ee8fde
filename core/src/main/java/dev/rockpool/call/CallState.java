package dev.rockpool.call;

import dev.rockpool.call.CapturingCall.Outcome;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An error code that native functions leave behind for their caller. Adapts downcall handles so
 * that they return the code ({@code adapt}) or throw it ({@code check}), and callers pass no
 * segment for capture state.
 *
 * {@snippet :
 * // int open(const char *path, int flags, ...)
 * static final MethodHandle OPEN =
 *     CallState.ERRNO.adapt(
 *         Linker.nativeLinker()
 *             .downcallHandle(
 *                 Linker.nativeLinker().defaultLookup().findOrThrow("open"),
 *                 FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
 *                 Linker.Option.firstVariadicArg(2),
 *                 CallState.ERRNO.option()));
 *
 * try (Arena arena = Arenas.ofConfined()) {
 *   int file = (int) OPEN.invokeExact(arena.allocateFrom("/no/such/file"), 0);
 *   // file == -2, that is -ENOENT
 * }
 * }
 *
 * <p>A downcall handle that captures call state (see {@link #option()}) takes a segment as its
 * first argument. The code is copied into that segment when the call returns. An adapted handle
 * allocates that segment, zeroed, for each call. The segment comes from a pooled arena ({@link
 * dev.rockpool.arena.Arenas#ofConfined()}), which the handle closes when the call is over. So calls
 * may nest, through upcalls or through other code in the adapted handle. A capture segment that
 * leaks out of its call can't be accessed after the call. If neither the pool nor the system has
 * memory left, the handle throws {@link OutOfMemoryError} and does not make the call.
 *
 * <p>The code is read only if the call has failed by the rule of {@link Failure}. Exceptions of the
 * adapted handle pass through unchanged.
 *
 * <p>The code is set to 0 before each call, so it is 0 after a function that leaves none. On JDK 25
 * and 26 the linker does not do this. There the adapted handle does, but only for {@code errno} and
 * only if Rockpool has native access. Otherwise, if a function fails and leaves no code, the code
 * is that of an earlier call on its thread.
 *
 * <p>Adapted handles are safe for use by any thread. Keep them in static final fields, like any
 * method handle: then they are compiled into their callers and make no garbage.
 *
 * @since 0.1.0
 */
public enum CallState {
  /** {@code errno}, on all platforms. */
  ERRNO("errno"),

  /** {@code GetLastError()}, on Windows. */
  GET_LAST_ERROR("GetLastError"),

  /** {@code WSAGetLastError()}, on Windows. */
  WSA_GET_LAST_ERROR("WSAGetLastError");

  /** Layout of the capture state on this platform. */
  static final StructLayout LAYOUT = Linker.Option.captureStateLayout();

  private final String stateName;

  CallState(String stateName) {
    this.stateName = stateName;
  }

  /**
   * Returns the option for {@link Linker#downcallHandle} that makes a handle capture this state.
   * The caller links the handle, and so needs native access; Rockpool lends none of its own.
   *
   * @return {@link Linker.Option#captureCallState} with the name of this state
   * @throws IllegalArgumentException if this platform has no such state
   */
  public Linker.Option option() {
    requireSupported();
    return Linker.Option.captureCallState(stateName);
  }

  /**
   * Adapts a handle of a function that returns a negative value on failure: {@link
   * #adapt(MethodHandle, Failure)} with {@link Failure#NEGATIVE}.
   *
   * @param handle a downcall handle that captures this state, linked with {@link #option()}
   * @return a handle without the first parameter, which returns the function's result, or the
   *     negated code if that result is negative
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   * @throws NullPointerException if {@code handle} is null
   */
  public MethodHandle adapt(MethodHandle handle) {
    return adapt(handle, Failure.NEGATIVE);
  }

  /**
   * Adapts a handle so that it takes no capture segment and returns the negated code on failure. On
   * success the adapted handle returns the function's result. On failure the result depends on the
   * return type:
   *
   * <ul>
   *   <li>{@code int}: the negated code,
   *   <li>{@code long}: the negated code, after the code was extended without sign,
   *   <li>a pointer: a zero-length segment whose address is that {@code long}.
   * </ul>
   *
   * <p>If a function fails and the code is 0, the adapted handle returns its result. The same holds
   * for {@code int} and a code of more than 31 bits, which Windows may have. Use {@link
   * #check(MethodHandle, Failure)} where a negated code can't be told from a result.
   *
   * @param handle a downcall handle that captures this state: the first parameter is the {@link
   *     MemorySegment} to capture into, the return type is {@code int}, {@code long} or {@code
   *     MemorySegment}. If the handle also takes the address of its function, bind the address
   *     first.
   * @param failure the rule for which results are failures
   * @return a handle of the same type without the first parameter
   * @throws IllegalArgumentException if {@code handle} has another type or more than some 250
   *     parameters, {@code failure} is not for its return type, or this platform has no such state
   * @throws NullPointerException if an argument is null
   */
  public MethodHandle adapt(MethodHandle handle, Failure failure) {
    return adapt(handle, failure, null);
  }

  /**
   * Adapts a handle of a function that returns a negative value on failure: {@link
   * #check(MethodHandle, Failure, String)} with {@link Failure#NEGATIVE}.
   *
   * @param handle a downcall handle that captures this state, linked with {@link #option()}
   * @param function the name of the function, for the message
   * @return a handle without the first parameter, which returns the function's result, or throws
   *     {@link NativeCallException} if that result is negative
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   * @throws NullPointerException if an argument is null
   */
  public MethodHandle check(MethodHandle handle, String function) {
    return check(handle, Failure.NEGATIVE, function);
  }

  /**
   * Adapts a handle so that it takes no capture segment and throws {@link NativeCallException} if
   * the call fails.
   *
   * @param handle as for {@link #adapt(MethodHandle, Failure)}
   * @param failure the rule for which results are failures
   * @return a handle of the same type without the first parameter
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   * @throws NullPointerException if an argument is null
   */
  public MethodHandle check(MethodHandle handle, Failure failure) {
    return adapt(handle, failure, "");
  }

  /**
   * As {@link #check(MethodHandle, Failure)}, with the name of the function in the message.
   *
   * @param handle as for {@link #adapt(MethodHandle, Failure)}
   * @param failure the rule for which results are failures
   * @param function the name of the function
   * @return a handle of the same type without the first parameter
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   * @throws NullPointerException if an argument is null
   */
  public MethodHandle check(MethodHandle handle, Failure failure, String function) {
    return adapt(handle, failure, Objects.requireNonNull(function));
  }

  private MethodHandle adapt(MethodHandle handle, Failure failure, @Nullable String function) {
    CapturingCall.requireAdaptable(handle.type(), failure);
    requireSupported();
    long offset = LAYOUT.byteOffset(PathElement.groupElement(stateName));
    return CapturingCall.of(
        handle, new Outcome(failure.number, failure.pointer, offset, this, function));
  }

  private void requireSupported() {
    if (!isSupported()) {
      throw new IllegalArgumentException(
          "The linker of this platform captures "
              + String.join(", ", LAYOUT.memberLayouts().stream().map(CallState::nameOf).toList())
              + ": "
              + stateName
              + ". Use one of "
              + Arrays.stream(values()).filter(CallState::isSupported).toList());
    }
  }

  private boolean isSupported() {
    return LAYOUT.memberLayouts().stream().anyMatch(member -> nameOf(member).equals(stateName));
  }

  private static String nameOf(MemoryLayout member) {
    return member.name().orElse("");
  }

  /** Returns the name of an error, see {@link NativeCallException#name()}. */
  String nameOf(int code) {
    String name = this == ERRNO ? SystemErrors.nameOfErrno(code) : null;
    return name != null ? name : stateName + " " + Integer.toUnsignedString(code);
  }

  /** Returns the system's text for an error, see {@link NativeCallException#text()}. */
  String textOf(int code) {
    return this == ERRNO ? SystemErrors.textOfErrno(code) : "";
  }
}
