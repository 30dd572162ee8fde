package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.rockpool.arena.Arenas;
import dev.rockpool.internal.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes adapted handles. One that adapts handle {@code call} does the following:
 *
 * <pre>
 *   try (Arena arena = Arenas.ofConfined()) {
 *     captured = arena.allocate(LAYOUT);        // zero
 *     errno = 0;                                // where the JDK's linker does not do it
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

  private CapturingCall() {}

  /** Adapts a handle of a type that {@link #requireAdaptable} accepts. */
  static MethodHandle of(MethodHandle call, Outcome outcome) {
    MethodHandle clearing = Errno.clearBefore(intoSegment(call, outcome));
    MethodHandle body = MethodHandles.filterArguments(clearing, 0, ALLOCATE);
    MethodHandle closing = MethodHandles.tryFinally(body, closing(call.type().returnType()));
    return MethodHandles.foldArguments(closing, OPEN);
  }

  /**
   * Checks the type alone, as a handle does not reveal its linker options.
   *
   * @throws IllegalArgumentException if a handle of that type can't be adapted
   */
  static void requireAdaptable(MethodType type, Failure failure) {
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
    if (!failure.resultTypes.contains(result)) {
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
   * The C library's {@code errno} of the current thread, which must be 0 when a function is called.
   * Since JDK 27 the linker writes the capture segment, which is zero, to {@code errno} before the
   * call.
   */
  private static final class Errno {
    private static final int FIRST_JDK_THAT_CLEARS = 27;

    /** {@code () -> errno}; null if it is not needed, or the function can't be linked. */
    private static final @Nullable MethodHandle LOCATION =
        Runtime.version().feature() < FIRST_JDK_THAT_CLEARS ? findLocation() : null;

    @SuppressWarnings("restricted")
    private static @Nullable MethodHandle findLocation() {
      try {
        FunctionDescriptor type = FunctionDescriptor.of(ADDRESS.withTargetLayout(JAVA_INT));
        // Of glibc and musl, of macOS, and of Windows.
        for (String name : List.of("__errno_location", "__error", "_errno")) {
          MethodHandle found = CLibrary.find(name, type, Linker.Option.critical(false));
          if (found != null) {
            return found;
          }
        }
        return null;
      } catch (IllegalCallerException denied) {
        return null;
      }
    }

    /** Adapts a handle so that it first sets {@code errno} to 0, if need be. */
    static MethodHandle clearBefore(MethodHandle call) {
      return LOCATION == null
          ? call
          : MethodHandles.foldArguments(
              call, fixed(Errno.class, "clear", MethodType.methodType(void.class)));
    }

    @SuppressWarnings("UnusedMethod") // in a handle
    private static void clear() throws Throwable {
      ((MemorySegment) Objects.requireNonNull(LOCATION).invokeExact()).set(JAVA_INT, 0, 0);
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
   * @param isFailure the rule for an int or long; null if the result is a pointer
   * @param isFailedPointer the rule for a pointer; null if the result is none
   * @param offset of the code in the capture segment, in bytes
   * @param function name of the function whose failures throw, or an empty string; null if failures
   *     return the negated code, or the result if negating the code gives no negative number
   */
  record Outcome(
      @Nullable LongPredicate isFailure,
      @Nullable Predicate<MemorySegment> isFailedPointer,
      long offset,
      CallState state,
      @Nullable String function) {
    int ofInt(int result, MemorySegment captured) {
      return fails(result) ? ofFailure(result, code(captured)) : result;
    }

    long ofLong(long result, MemorySegment captured) {
      return fails(result) ? ofFailure(result, code(captured)) : result;
    }

    MemorySegment ofAddress(MemorySegment result, MemorySegment captured) {
      return fails(result) ? ofFailure(result, code(captured)) : result;
    }

    private boolean fails(long result) {
      return Objects.requireNonNull(isFailure).test(result);
    }

    private boolean fails(MemorySegment result) {
      return Objects.requireNonNull(isFailedPointer).test(result);
    }

    /** Short, so that C2 inlines it even where calls seldom fail; else the arena would escape. */
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
