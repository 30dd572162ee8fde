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

/** Looks up the system's own names and texts of its error codes. */
@SuppressWarnings("restricted")
final class SystemErrors {
  /** Size in bytes that no name or text exceeds. */
  private static final long MOST_BYTES = 4096;

  private SystemErrors() {}

  /** Returns the name of the C library's constant, such as {@code ENOENT}; null if unknown. */
  static @Nullable String nameOfErrno(int code) {
    String name = string(Handles.STRERRORNAME_NP, code);
    return name.isEmpty() ? ErrnoNames.nameOf(code) : name;
  }

  /** Returns the text of {@code strerror}; empty if the function is missing. */
  static String textOfErrno(int code) {
    return string(Handles.STRERROR, code);
  }

  /**
   * Calls a function that returns a string that the C library owns.
   *
   * <p>Synchronized: for an unknown code, C libraries such as glibc before 2.32 return a static
   * buffer, which the next call overwrites.
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
   * Decodes the string at the start of {@code memory}. {@link MemorySegment#getString(long,
   * Charset)} would not do, as it accepts standard charsets only, not those of Windows and of older
   * locales.
   */
  static String decoded(MemorySegment memory, Charset charset) {
    long length = 0;
    while (length < memory.byteSize() && memory.get(JAVA_BYTE, length) != 0) {
      length++;
    }
    return new String(memory.asSlice(0, length).toArray(JAVA_BYTE), charset);
  }

  /**
   * Returns the charset of the C library's texts: the charset of the locale ({@code LC_CTYPE}) that
   * the JVM set at its start.
   *
   * <p>This charset is in {@code native.encoding}. No other property will do: {@code
   * sun.jnu.encoding} is for names of files, and on macOS always UTF-8. {@code stdout.encoding} may
   * be a terminal's. {@code file.encoding} is UTF-8 unless the user sets another. On Windows all
   * texts are ASCII, which every code page of Windows contains.
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
