package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.internal.CLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks up the system's own names and texts of its error codes. */
@SuppressWarnings("restricted")
final class SystemErrors {
  /** Size in bytes that no name or text exceeds. */
  private static final long MOST_BYTES = 4096;

  private SystemErrors() {}

  /** Returns the C library's name, such as ENOENT; null if unknown. */
  static @Nullable String nameOfErrno(int code) {
    try {
      String name = string(Handles.STRERRORNAME_NP, code);
      return name.isEmpty() ? ErrnoNames.nameOf(code) : name;
    } catch (LinkageError broken) {
      return null; // the failed call is the program's concern
    }
  }

  /** Returns the text of {@code strerror}; empty without the function. */
  static String textOfErrno(int code) {
    try {
      return string(Handles.STRERROR, code);
    } catch (LinkageError broken) {
      return "";
    }
  }

  private static String string(@Nullable MethodHandle function, int code) {
    return function == null ? "" : new String(Handles.call(function, code), charset());
  }

  /**
   * Returns the string at the start of {@code memory}, still to be decoded. {@link
   * MemorySegment#getString(long, Charset)} would not do, as it accepts standard charsets only, not
   * those of Windows and of older locales.
   */
  static byte[] bytes(MemorySegment memory) {
    long length = 0;
    while (length < memory.byteSize() && memory.get(JAVA_BYTE, length) != 0) {
      length++;
    }
    return memory.asSlice(0, length).toArray(JAVA_BYTE);
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
    /** Not the class, whose monitor a program could keep. */
    private static final Object LOCK = new Object();

    static final @Nullable MethodHandle STRERROR = find("strerror");

    /** Since glibc 2.32. */
    static final @Nullable MethodHandle STRERRORNAME_NP = find("strerrorname_np");

    /**
     * Calls a function that returns a string that the C library owns.
     *
     * <p>Locked: for an unknown code, C libraries such as glibc before 2.32 return a static buffer,
     * which the next call overwrites. Nothing of the program's runs under this lock.
     */
    static byte[] call(MethodHandle function, int code) {
      synchronized (LOCK) {
        try {
          MemorySegment string = (MemorySegment) function.invokeExact(code);
          return string.address() == 0 ? new byte[0] : bytes(string.reinterpret(MOST_BYTES));
        } catch (Throwable failure) {
          throw CLibrary.unexpected(failure);
        }
      }
    }

    private static @Nullable MethodHandle find(String name) {
      return CLibrary.find(name, FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }
  }

  /**
   * Names of error codes, for C libraries without {@code strerrorname_np}: those of macOS and
   * Windows, musl, and glibc before 2.32.
   *
   * <p>Each system has a table, made from the headers of its C library. If a code has two names,
   * the table has the name that the header defines by number. macOS and Windows have the same codes
   * on all machines. Linux has not: the table holds for the machines listed here.
   */
  static final class ErrnoNames {
    static final String LINUX = "errno-linux.txt";
    static final String MACOS = "errno-macos.txt";
    static final String WINDOWS = "errno-windows.txt";

    private static final Set<String> MACHINES = Set.of("amd64", "aarch64", "riscv64", "s390x");

    private ErrnoNames() {}

    /** Returns the name of the constant, or null. */
    static @Nullable String nameOf(int code) {
      return OfThisSystem.NAMES.get(code);
    }

    /** Holds the table, which is read when a name is first needed. */
    private static final class OfThisSystem {
      static final Map<Integer, String> NAMES =
          read(tableFor(System.getProperty("os.name", ""), System.getProperty("os.arch", "")));
    }

    /** Returns the table for {@code os.name} and {@code os.arch}; null if there is none. */
    static @Nullable String tableFor(String system, String machine) {
      if (system.equals("Linux")) {
        return MACHINES.contains(machine) ? LINUX : null;
      }
      if (system.startsWith("Mac")) {
        return MACOS;
      }
      return system.startsWith("Windows") ? WINDOWS : null;
    }

    /** Reads lines of a code and its name; returns an empty map if the file can't be read. */
    static Map<Integer, String> read(@Nullable String table) {
      if (table == null) {
        return Map.of();
      }
      Map<Integer, String> names = new HashMap<>();
      try (InputStream file = ErrnoNames.class.getResourceAsStream(table)) {
        if (file != null) {
          new String(file.readAllBytes(), StandardCharsets.US_ASCII)
              .lines()
              .forEach(line -> add(line, names));
        }
      } catch (IOException unreadable) {
        return Map.of();
      }
      return names;
    }

    private static void add(String line, Map<Integer, String> names) {
      int space = line.indexOf(' ');
      names.put(Integer.valueOf(line.substring(0, space)), line.substring(space + 1));
    }
  }
}
