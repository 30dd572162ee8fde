package dev.rockpool.call;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Makes adapted handles. What one does, with {@code call} the handle that it was made of:
 *
 * <pre>
 *   if (first.mayUseLine()) {
 *     captured = CaptureLines.zeroed();         // of this thread
 *     return outcome.of(call(captured, arguments...), captured);
 *   }
 *   try (Arena arena = Arenas.ofConfined()) {   // rare
 *     captured = arena.allocate(LAYOUT);
 *     return outcome.of(call(captured, arguments...), captured);
 *   }
 * </pre>
 *
 * <p><b>No unmount from finding a carrier's line to reading it.</b> On a virtual thread the line is
 * its carrier's, so nothing in between may wait; see {@link dev.rockpool.internal.Carrier}. The
 * native call itself pins the virtual thread, upcalls included. After it come a read and a
 * comparison. Before it there is nothing, once the handle has been used: what method handles do
 * when they are first invoked (link, initialize, compile) may wait for other threads. So on virtual
 * threads the first invocation of each handle, until one is complete, goes the other way.
 */
final class CapturingCall {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle MAY_USE_LINE =
      virtual(FirstCall.class, "mayUseLine", MethodType.methodType(boolean.class));
  private static final MethodHandle ZEROED =
      fixed(CaptureLines.class, "zeroed", MethodType.methodType(MemorySegment.class));
  private static final MethodHandle OPEN =
      fixed(Arenas.class, "ofConfined", MethodType.methodType(Arena.class));
  private static final MethodHandle ALLOCATE =
      fixed(
          CapturingCall.class, "allocate", MethodType.methodType(MemorySegment.class, Arena.class));
  private static final MethodHandle CLOSE =
      fixed(
          CapturingCall.class,
          "close",
          MethodType.methodType(void.class, FirstCall.class, Throwable.class, Arena.class));

  static {
    // Here, where programs make their handles, and not at the first call, which may be made where
    // the stack ends: then each call after it would fail.
    try {
      LOOKUP.ensureInitialized(CaptureLines.class);
    } catch (IllegalAccessException impossible) {
      throw new LinkageError(CaptureLines.class.getName(), impossible);
    }
  }

  private CapturingCall() {}

  /** The handle for {@code call}, whose first parameter is the segment to capture into. */
  static MethodHandle of(MethodHandle call, Outcome outcome) {
    MethodHandle into = intoSegment(call, outcome);
    FirstCall first = new FirstCall();
    return MethodHandles.guardWithTest(
        MAY_USE_LINE.bindTo(first),
        MethodHandles.foldArguments(into, ZEROED),
        intoArena(into, first));
  }

  /** {@code (captured, arguments...) -> outcome.of(call(captured, arguments...), captured)}. */
  private static MethodHandle intoSegment(MethodHandle call, Outcome outcome) {
    Class<?> result = call.type().returnType();
    MethodHandle end =
        virtual(
                Outcome.class,
                result == int.class ? "ofInt" : result == long.class ? "ofLong" : "ofAddress",
                MethodType.methodType(result, result, MemorySegment.class))
            .bindTo(outcome);
    MethodHandle both = MethodHandles.collectArguments(end, 0, call);
    int last = both.type().parameterCount() - 1;
    int[] order = new int[last + 1];
    for (int i = 0; i < last; i++) {
      order[i] = i;
    }
    return MethodHandles.permuteArguments(both, call.type(), order);
  }

  private static MethodHandle intoArena(MethodHandle into, FirstCall first) {
    MethodHandle body = MethodHandles.filterArguments(into, 0, ALLOCATE);
    Class<?> result = into.type().returnType();
    // (thrown, result, arena) -> close(thrown, arena), then result
    MethodHandle cleanup =
        MethodHandles.permuteArguments(
            MethodHandles.foldArguments(
                MethodHandles.dropArguments(
                    MethodHandles.identity(result), 0, Throwable.class, Arena.class),
                CLOSE.bindTo(first)),
            MethodType.methodType(result, Throwable.class, result, Arena.class),
            0,
            2,
            1);
    return MethodHandles.foldArguments(MethodHandles.tryFinally(body, cleanup), OPEN);
  }

  @SuppressWarnings("UnusedMethod") // in ALLOCATE
  private static MemorySegment allocate(Arena arena) {
    return arena.allocate(CallState.LAYOUT);
  }

  @SuppressWarnings("UnusedMethod") // in CLOSE
  private static void close(FirstCall first, @Nullable Throwable thrown, Arena arena) {
    // What else is thrown may come from before the call.
    if (thrown == null || thrown instanceof NativeCallException) {
      first.complete();
    }
    arena.close();
  }

  private static MethodHandle fixed(Class<?> owner, String name, MethodType type) {
    try {
      return LOOKUP.findStatic(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  private static MethodHandle virtual(Class<?> owner, String name, MethodType type) {
    try {
      return LOOKUP.findVirtual(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }
}
