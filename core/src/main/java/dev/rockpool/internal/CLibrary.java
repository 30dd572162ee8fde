package dev.rockpool.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Downcalls to functions of the C library, found by the linker's default lookup. Every caller has a
 * fallback: native access may be denied, or a JVM may have no linker. The linker of a native image
 * knows only the functions that were declared when the image was built.
 */
@SuppressWarnings("restricted")
public final class CLibrary {
  private CLibrary() {}

  /** Returns a downcall handle for {@code name}, or null if none can be linked. */
  public static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    return findOrReport(null, name, type, options);
  }

  /**
   * As {@link #find}, but prints a notice with the cause if the function can't be linked.
   *
   * @param consequence effect of the missing function, the start of the notice; null for no notice
   */
  static @Nullable MethodHandle findOrReport(
      @Nullable String consequence,
      String name,
      FunctionDescriptor type,
      Linker.Option... options) {
    try {
      return link(name, type, options);
    } catch (RuntimeException | LinkageError unavailable) {
      if (consequence != null) {
        Notices.print(consequence + ": " + unavailable);
      }
      return null;
    }
  }

  private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    MemorySegment function = linker.defaultLookup().findOrThrow(name);
    if (Setting.isCheckOn() || System.getenv("LD_PRELOAD") != null) {
      function = preloaded(linker, name, function);
    }
    return linker.downcallHandle(function, type, options);
  }

  /**
   * Returns the function that C code of this process calls by that name. The default lookup finds
   * the C library's own function, not the one of a preloaded allocator or checker; {@code dlsym}
   * finds the latter. All functions here are looked up alike, so {@code free} fits {@code calloc}.
   */
  private static MemorySegment preloaded(Linker linker, String name, MemorySegment found) {
    MemorySegment lookUp = linker.defaultLookup().find("dlsym").orElse(null);
    if (lookUp == null || !System.getProperty("os.name", "").equals("Linux")) {
      return found;
    }
    // The type of calloc, so that the linker makes one stub for both.
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
    try (Arena arena = Arena.ofConfined()) {
      long everywhere = 0; // RTLD_DEFAULT
      long symbol = arena.allocateFrom(name).address();
      long first = (long) linker.downcallHandle(lookUp, type).invokeExact(everywhere, symbol);
      return first == 0 ? found : MemorySegment.ofAddress(first);
    } catch (Throwable failure) {
      throw rethrow(failure);
    }
  }

  /**
   * Throws {@code failure} itself, as {@code MethodHandle.invokeExact} declares all throwables.
   *
   * @return never; so that callers can write {@code throw}
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T extends Throwable> RuntimeException rethrow(Throwable failure) throws T {
    throw (T) failure;
  }
}
