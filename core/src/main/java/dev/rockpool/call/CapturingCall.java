package dev.rockpool.call;

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

  private CapturingCall() {}

  /** Adapts {@code call}, whose first parameter is the segment to capture into. */
  static MethodHandle of(MethodHandle call, Outcome outcome) {
    MethodHandle body = MethodHandles.filterArguments(intoSegment(call, outcome), 0, ALLOCATE);
    MethodHandle closing = MethodHandles.tryFinally(body, close(call.type().returnType()));
    return MethodHandles.foldArguments(closing, OPEN);
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
  private static MethodHandle close(Class<?> result) {
    return fixed(
        CapturingCall.class,
        "close",
        MethodType.methodType(result, Throwable.class, result, Arena.class));
  }

  @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by name, its type fixed
  private static int close(@Nullable Throwable thrown, int result, Arena arena) {
    arena.close();
    return result;
  }

  @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
  private static long close(@Nullable Throwable thrown, long result, Arena arena) {
    arena.close();
    return result;
  }

  @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
  private static @Nullable MemorySegment close(
      @Nullable Throwable thrown, @Nullable MemorySegment result, Arena arena) {
    arena.close();
    return result; // null if something was thrown
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
}
