package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.internal.CLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** The names and texts that the system itself has for its error codes; asked after a failure. */
@SuppressWarnings("restricted")
final class SystemErrors {
  /** Longer than any name or text. */
  private static final long MOST_BYTES = 4096;

  private SystemErrors() {}

  /** The name of the C library's constant, {@code ENOENT}; null if nobody knows it. */
  static @Nullable String nameOfErrno(int code) {
    String name = string(Handles.STRERRORNAME_NP, code);
    return name.isEmpty() ? LinuxErrnoNames.nameOf(code) : name;
  }

  /** What {@code strerror} says; empty if it can't be asked. */
  static String textOfErrno(int code) {
    return string(Handles.STRERROR, code);
  }

  /**
   * Calls a function that returns a string of the C library's own.
   *
   * <p>One caller at a time: C libraries that are older than glibc 2.32 may put the text of a code
   * that they don't know into a buffer, which the next caller's overwrites.
   */
  private static synchronized String string(@Nullable MethodHandle function, int code) {
    if (function == null) {
      return "";
    }
    try {
      MemorySegment string = (MemorySegment) function.invokeExact(code);
      return string.address() == 0 ? "" : string.reinterpret(MOST_BYTES).getString(0, charset());
    } catch (RuntimeException unreadable) {
      return "";
    } catch (Throwable failure) {
      throw failure instanceof Error error ? error : new AssertionError(failure);
    }
  }

  /** Of the language that the JVM has told the C library to speak. */
  private static Charset charset() {
    return Charset.forName(
        System.getProperty("native.encoding", "UTF-8"), Charset.defaultCharset());
  }

  private static final class Handles {
    static final @Nullable MethodHandle STRERROR = find("strerror");

    /** Since glibc 2.32. */
    static final @Nullable MethodHandle STRERRORNAME_NP = find("strerrorname_np");

    private static @Nullable MethodHandle find(String name) {
      return CLibrary.find(name, FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }
  }
}
