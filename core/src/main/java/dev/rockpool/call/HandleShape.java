package dev.rockpool.call;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** Checks that a handle's type allows adapting the handle. */
final class HandleShape {
  private HandleShape() {}

  /**
   * Checks the type alone, as a handle does not reveal its linker options.
   *
   * @throws IllegalArgumentException if the first parameter is no {@link MemorySegment}, or {@code
   *     failure} is not for the return type
   */
  static void require(MethodHandle handle, Failure failure) {
    MethodType type = handle.type();
    if (type.parameterCount() == 0 || type.parameterType(0) != MemorySegment.class) {
      throw new IllegalArgumentException(
          "The first parameter must be the MemorySegment that call state is captured into: "
              + type
              + ". Link the function with CallState.option()");
    }
    Class<?> result = type.returnType();
    if (result != int.class && result != long.class && result != MemorySegment.class) {
      throw new IllegalArgumentException(
          "The result must be int, long or MemorySegment, to tell success from failure: "
              + type
              + ". Adapt it with MethodHandle.asType first");
    }
    if (!failure.isFor(result)) {
      throw new IllegalArgumentException(
          "The rule for failures must fit the result: "
              + failure
              + " for "
              + type
              + ". Use "
              + (result == MemorySegment.class
                  ? "Failure.NULL, MINUS_ONE or ofAddress"
                  : "Failure.NEGATIVE, MINUS_ONE, ZERO, NON_ZERO or "
                      + (result == int.class ? "ofInt" : "ofLong")));
    }
  }
}
