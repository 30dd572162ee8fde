package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
    MemorySegment function = linker.defaultLookup().findOrThrow(name);
    if (SwitchSetting.CHECK.isOn()) {
      function = preloaded(linker, name, function);
    }
    return linker.downcallHandle(function, type, options);
  }

  /**
   * The function that C code of this process calls by that name. The linker finds that of the C
   * library itself, past those of a checker that was preloaded.
   */
  private static MemorySegment preloaded(Linker linker, String name, MemorySegment found) {
    MemorySegment lookUp = linker.defaultLookup().find("dlsym").orElse(null);
    if (lookUp == null || !System.getProperty("os.name", "").equals("Linux")) {
      return found;
    }
    FunctionDescriptor type =
        FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment everywhere = MemorySegment.NULL; // RTLD_DEFAULT
      MemorySegment first =
          (MemorySegment)
              linker.downcallHandle(lookUp, type).invokeExact(everywhere, arena.allocateFrom(name));
      return first.equals(MemorySegment.NULL) ? found : first;
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** A downcall throws only what the JVM throws on its own behalf, such as a stack overflow. */
  static RuntimeException unexpected(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(failure);
  }
}
