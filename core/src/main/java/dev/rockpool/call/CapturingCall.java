package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Makes adapted handles. One that adapts handle {@code call} does the following:
 *
 * <pre>
 *   try (Arena arena = Arenas.ofConfined()) {
 *     captured = arena.allocate(LAYOUT);        // zero
 *     return outcome.of(call(captured, arguments...), captured);
 *   }
 * </pre>
 *
 * <p>So each call has its own capture segment. One segment for all calls of a thread would not do.
 * {@code call} may be any handle, so a filter of its result may make native calls before the code
 * is read.
 *
 * <p>The adapted handle is combined from method handles, not a class of its own, because C2 inlines
 * the combination into its callers. Then arena and segment do not escape, and are registers.
 */
final class CapturingCall {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle OPEN =
      fixed(Arenas.class, "ofConfined", MethodType.methodType(Arena.class));
  private static final MethodHandle ALLOCATE =
      fixed(
          CapturingCall.class, "allocate", MethodType.methodType(MemorySegment.class, Arena.class));
  private static final MethodHandle CLOSE =
      fixed(
          CapturingCall.class,
          "close",
          MethodType.methodType(void.class, Throwable.class, Arena.class));

  /** Most slots of the parameters of a method handle, which takes one of the JVM's 255 itself. */
  private static final int MOST_SLOTS = 254;

  private CapturingCall() {}

  /**
   * @throws IllegalArgumentException if the type of {@code call} can't be adapted
   */
  static MethodHandle of(MethodHandle call, Outcome outcome) {
    require(call, outcome.rule);
    MethodHandle body = MethodHandles.filterArguments(intoSegment(call, outcome), 0, ALLOCATE);
    MethodHandle closing = MethodHandles.tryFinally(body, closing(call.type().returnType()));
    return MethodHandles.foldArguments(closing, OPEN);
  }

  /** Checks the type alone, as a handle does not reveal its linker options. */
  private static void require(MethodHandle call, Failure.Rule rule) {
    MethodType type = call.type();
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
    if (!rule.resultTypes().contains(result)) {
      throw new IllegalArgumentException(
          "The rule for failures must fit the result: "
              + rule.name()
              + " for "
              + type
              + ". Use "
              + (result == MemorySegment.class
                  ? "Failure.NULL, MINUS_ONE or ofAddress"
                  : "Failure.NEGATIVE, MINUS_ONE, ZERO, NON_ZERO or "
                      + (result == int.class ? "ofInt" : "ofLong")));
    }
    // The handle that closes takes the exception and the result in front of them.
    int most = MOST_SLOTS - 1 - slots(result);
    int slots = type.parameterList().stream().mapToInt(CapturingCall::slots).sum();
    if (slots > most) {
      throw new IllegalArgumentException(
          "The parameters must take at most "
              + most
              + " slots (long and double take two) beside a result of "
              + result.getSimpleName()
              + ": "
              + slots
              + ". Pass the last ones in an array, by MethodHandle.asSpreader");
    }
  }

  private static int slots(Class<?> type) {
    return type == long.class || type == double.class ? 2 : 1;
  }

  /** {@code (captured, arguments...) -> outcome.of(call(captured, arguments...), captured)}. */
  private static MethodHandle intoSegment(MethodHandle call, Outcome outcome) {
    MethodHandle end = end(call.type().returnType()).bindTo(outcome);
    MethodHandle both = MethodHandles.collectArguments(end, 0, call);
    int last = both.type().parameterCount() - 1;
    int[] order = new int[last + 1];
    for (int i = 0; i < last; i++) {
      order[i] = i;
    }
    return MethodHandles.permuteArguments(both, call.type(), order);
  }

  @SuppressWarnings("UnusedMethod") // in ALLOCATE
  private static MemorySegment allocate(Arena arena) {
    return arena.allocate(CallState.LAYOUT);
  }

  /** {@code (thrown, result, arena) -> result}; {@code tryFinally} rethrows {@code thrown}. */
  private static MethodHandle closing(Class<?> result) {
    MethodHandle same = MethodHandles.dropArguments(MethodHandles.identity(result), 1, Arena.class);
    return MethodHandles.foldArguments(
        MethodHandles.dropArguments(same, 0, Throwable.class),
        MethodHandles.dropArguments(CLOSE, 1, result));
  }

  /** As try-with-resources: an exception of the close is added to that of the call. */
  @SuppressWarnings("UnusedMethod") // in CLOSE
  private static void close(@Nullable Throwable thrown, Arena arena) {
    if (thrown == null) {
      arena.close();
      return;
    }
    try {
      arena.close();
    } catch (Throwable failure) {
      thrown.addSuppressed(failure);
    }
  }

  private static MethodHandle end(Class<?> result) {
    String name = result == int.class ? "ofInt" : result == long.class ? "ofLong" : "ofAddress";
    try {
      return LOOKUP.findVirtual(
          Outcome.class, name, MethodType.methodType(result, result, MemorySegment.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  private static MethodHandle fixed(Class<?> owner, String name, MethodType type) {
    try {
      return LOOKUP.findStatic(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  /**
   * The last step of an adapted handle: turns the result of a call into the handle's result.
   *
   * <p>The code is read only after a failure. The rule may be the program's own and make native
   * calls; those have their own capture segments.
   *
   * <p>A record, because C2 trusts the final fields of records. So in a constant handle the rule is
   * a constant, too, and inlined.
   *
   * @param offset of the code in the capture segment, in bytes
   * @param function name of the function whose failures throw, or an empty string; null if failures
   *     return the negated code, or the result if negating the code gives no negative number
   */
  record Outcome(Failure.Rule rule, long offset, CallState state, @Nullable String function) {
    int ofInt(int result, MemorySegment captured) {
      return rule.isFailure(result) ? ofFailure(result, code(captured)) : result;
    }

    long ofLong(long result, MemorySegment captured) {
      return rule.isFailure(result) ? ofFailure(result, code(captured)) : result;
    }

    MemorySegment ofAddress(MemorySegment result, MemorySegment captured) {
      return rule.isFailure(result) ? ofFailure(result, code(captured)) : result;
    }

    private int code(MemorySegment captured) {
      return captured.get(JAVA_INT_UNALIGNED, offset);
    }

    private int ofFailure(int result, int code) {
      if (function != null) {
        throw new NativeCallException(state, code, function, Integer.toString(result));
      }
      return code > 0 ? -code : result;
    }

    private long ofFailure(long result, int code) {
      if (function != null) {
        throw new NativeCallException(state, code, function, Long.toString(result));
      }
      return code != 0 ? -Integer.toUnsignedLong(code) : result;
    }

    private MemorySegment ofFailure(MemorySegment result, int code) {
      if (function != null) {
        String address = "0x" + Long.toHexString(result.address());
        throw new NativeCallException(state, code, function, address);
      }
      return code != 0 ? MemorySegment.ofAddress(-Integer.toUnsignedLong(code)) : result;
    }
  }
}
