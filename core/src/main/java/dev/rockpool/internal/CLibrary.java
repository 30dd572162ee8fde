package dev.rockpool.internal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library, or rather of what the linker looks up by default. Without them there
 * is always another way: native access may be denied, a JVM may have no linker, or one that knows
 * only the functions it was told of when it was built.
 */
@SuppressWarnings("restricted")
public final class CLibrary {
  private CLibrary() {}

  /** A downcall to {@code name}, or null if it can't be had. */
  public static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    try {
      return link(name, type, options);
    } catch (RuntimeException | LinkageError unavailable) {
      return null;
    }
  }

  /**
   * As {@link #find}, and the user is told why not.
   *
   * @param consequence what it means that there is none
   */
  static @Nullable MethodHandle findOrTell(
      String consequence, String name, FunctionDescriptor type, Linker.Option... options) {
    try {
      return link(name, type, options);
    } catch (RuntimeException | LinkageError unavailable) {
      Notices.print(consequence + ": " + unavailable);
      return null;
    }
  }

  private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
  }

  /** A downcall throws only what the JVM throws on its own behalf, such as a stack overflow. */
  static RuntimeException unexpected(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(failure);
  }
}
