package dev.rockpool.demo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.call.CallState;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** What Rockpool's library makes of a call that reports through {@code errno}. */
@SuppressWarnings("restricted") // whoever calls native code does so knowingly
final class AdaptedCalls {
  private AdaptedCalls() {}

  // int open(const char *path, int flags, ...)

  private static final int READ_ONLY = 0;
  private static final MethodHandle OPEN =
      CallState.ERRNO.adapt(
          Linker.nativeLinker()
              .downcallHandle(
                  Linker.nativeLinker().defaultLookup().findOrThrow("open"),
                  FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                  Linker.Option.firstVariadicArg(2),
                  CallState.ERRNO.option()));

  /** Opens a file for reading: its descriptor, or the negated errno. */
  static int open(String path) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      return (int) OPEN.invokeExact(arena.allocateFrom(path), READ_ONLY);
    }
  }
}
