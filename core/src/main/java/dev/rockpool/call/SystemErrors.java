package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
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
    return name.isEmpty() ? ErrnoNames.nameOf(code) : name;
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
      return string.address() == 0 ? "" : decoded(string.reinterpret(MOST_BYTES), charset());
    } catch (Throwable failure) {
      throw failure instanceof Error error ? error : new AssertionError(failure);
    }
  }

  /**
   * The string at the start of {@code memory}. {@link MemorySegment#getString(long, Charset)} is
   * for standard charsets alone, and refuses those of Windows and of older locales.
   */
  static String decoded(MemorySegment memory, Charset charset) {
    long length = 0;
    while (length < memory.byteSize() && memory.get(JAVA_BYTE, length) != 0) {
      length++;
    }
    return new String(memory.asSlice(0, length).toArray(JAVA_BYTE), charset);
  }

  /**
   * The charset in which the C library writes texts: that of the locale which the JVM has set at
   * its start, {@code LC_CTYPE}.
   *
   * <p>That is {@code native.encoding}. {@code sun.jnu.encoding} is for names of files: always
   * UTF-8 on macOS. {@code stdout.encoding} may be that of a terminal, and {@code file.encoding} is
   * UTF-8 unless the user says otherwise. On Windows the texts are in ASCII whatever the locale,
   * and all its code pages agree on that.
   */
  static Charset charset() {
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
