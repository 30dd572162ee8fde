package dev.rockpool.call;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * An error code that native functions leave behind for their caller, and downcall handles that
 * return it, or throw it, so that nobody has to pass a segment for it.
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
 * <p>A downcall handle that captures call state (see {@link #option()}) wants a segment as its
 * first argument, into which the code is copied when the call returns. The handles made here
 * allocate that segment for each call, from an arena of the pool ({@link
 * dev.rockpool.arena.Arenas#ofConfined()}), which they close when the call is over. So calls may
 * nest, by way of upcalls or of whatever else the adapted handle does beside its native call. A
 * segment that came to be known outside can't be used any more. Where neither the pool nor the
 * system has memory left, a call is not made, and throws {@link OutOfMemoryError}.
 *
 * <p>The code is set to 0 before each call, and looked at only if the call has failed, by the rule
 * of {@link Failure}. Whatever a handle throws passes through as it is.
 *
 * <p>The handles made here are safe for use by any thread. Keep them in static final fields, like
 * any method handle: then they are compiled into their callers and make no garbage.
 */
public enum CallState {
  /** {@code errno}: everywhere. */
  ERRNO("errno"),

  /** {@code GetLastError()}: on Windows. */
  GET_LAST_ERROR("GetLastError"),

  /** {@code WSAGetLastError()}: on Windows. */
  WSA_GET_LAST_ERROR("WSAGetLastError");

  /** What the linker of this platform captures. */
  static final StructLayout LAYOUT = Linker.Option.captureStateLayout();

  private final String stateName;

  CallState(String stateName) {
    this.stateName = stateName;
  }

  /**
   * The option for {@link Linker#downcallHandle} with which a handle captures this state. The
   * caller makes the handle, and so needs native access; Rockpool passes on none of its own.
   *
   * @return {@link Linker.Option#captureCallState} with the name of this state
   * @throws IllegalArgumentException if this platform has no such state
   */
  public Linker.Option option() {
    requireHere();
    return Linker.Option.captureCallState(stateName);
  }

  /**
   * The same handle without its first parameter, for functions that return a negative value if they
   * fail: {@link #adapt(MethodHandle, Failure)} with {@link Failure#NEGATIVE}.
   *
   * @param handle a downcall handle that captures this state, linked with {@link #option()}
   * @return a handle that returns the result if it is not negative, or else the negated code
   * @throws IllegalArgumentException as there
   */
  public MethodHandle adapt(MethodHandle handle) {
    return adapt(handle, Failure.NEGATIVE);
  }

  /**
   * The same handle without its first parameter. It returns what the function returned; or, if that
   * is a failure, the negated code: as an {@code int}, as a {@code long} of the code without sign,
   * or, for functions that return a pointer, as a zero-length segment at that address.
   *
   * <p>A function that fails and leaves no code behind (or, for {@code int}, one of more than 31
   * bits, as Windows may have) gives what it returned. Where a negated code can't be told from a
   * result, use {@link #check(MethodHandle, Failure)}.
   *
   * @param handle a downcall handle that captures this state: its first parameter is the {@link
   *     MemorySegment} to capture into, it returns {@code int}, {@code long} or {@code
   *     MemorySegment}. If it takes the address of its function, too, bind that first.
   * @param failure which results are failures
   * @return a handle of that type, without its first parameter
   * @throws IllegalArgumentException if the handle is not such a one, {@code failure} is not for
   *     its results, or this platform has no such state
   */
  public MethodHandle adapt(MethodHandle handle, Failure failure) {
    return adapted(handle, new NegatedCode(failure, offset()));
  }

  /**
   * The same handle without its first parameter, for functions that return a negative value if they
   * fail.
   *
   * @param handle a downcall handle that captures this state
   * @param function the name of the function, for the message
   * @return a handle that returns the result, or throws {@link NativeCallException} if it is
   *     negative
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   */
  public MethodHandle check(MethodHandle handle, String function) {
    return check(handle, Failure.NEGATIVE, function);
  }

  /**
   * The same handle without its first parameter, throwing {@link NativeCallException} if the call
   * fails.
   *
   * @param handle as for {@link #adapt(MethodHandle, Failure)}
   * @param failure which results are failures
   * @return a handle of that type, without its first parameter
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   */
  public MethodHandle check(MethodHandle handle, Failure failure) {
    return adapted(handle, new ThrownCode(failure, offset(), this, ""));
  }

  /**
   * As {@link #check(MethodHandle, Failure)}, with the name of the function in the message.
   *
   * @param handle as for {@link #adapt(MethodHandle, Failure)}
   * @param failure which results are failures
   * @param function the name of the function
   * @return a handle of that type, without its first parameter
   * @throws IllegalArgumentException as for {@link #adapt(MethodHandle, Failure)}
   */
  public MethodHandle check(MethodHandle handle, Failure failure, String function) {
    Objects.requireNonNull(function);
    return adapted(handle, new ThrownCode(failure, offset(), this, function));
  }

  private static MethodHandle adapted(MethodHandle handle, Outcome outcome) {
    HandleShape.require(handle, outcome.failure());
    return CapturingCall.of(handle, outcome);
  }

  /** Where the code is in {@link #LAYOUT} (in bytes). */
  private long offset() {
    requireHere();
    return LAYOUT.byteOffset(PathElement.groupElement(stateName));
  }

  private void requireHere() {
    if (!isHere()) {
      throw new IllegalArgumentException(
          "The linker of this platform captures "
              + String.join(", ", LAYOUT.memberLayouts().stream().map(CallState::nameOf).toList())
              + ": "
              + stateName
              + ". Use one of "
              + Arrays.stream(values()).filter(CallState::isHere).toList());
    }
  }

  private boolean isHere() {
    return LAYOUT.memberLayouts().stream().anyMatch(member -> nameOf(member).equals(stateName));
  }

  private static String nameOf(MemoryLayout member) {
    return member.name().orElse("");
  }

  /** What the system calls an error, see {@link NativeCallException#name()}. */
  String nameOf(int code) {
    String name = this == ERRNO ? SystemErrors.nameOfErrno(code) : null;
    return name != null ? name : stateName + " " + Integer.toUnsignedString(code);
  }

  /** What the system says of an error, see {@link NativeCallException#text()}. */
  String textOf(int code) {
    return this == ERRNO ? SystemErrors.textOfErrno(code) : "";
  }
}
