package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rockpool.internal.CLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The system's names and texts of its error codes. */
@SuppressWarnings("restricted")
final class SystemErrors {
  /** Size in bytes that no name or text exceeds. */
  private static final long MOST_BYTES = 4096;

  private SystemErrors() {}

  /** Returns the C library's name, such as ENOENT; null if unknown. */
  static @Nullable String nameOfErrno(int code) {
    try {
      return ErrnoNames.nameOf(code);
    } catch (LinkageError broken) {
      return null; // the failed call is the program's concern
    }
  }

  /** Returns the text of {@code strerror}; empty without the function. */
  static String textOfErrno(int code) {
    try {
      return new String(Strerror.call(code), charset());
    } catch (LinkageError broken) {
      return "";
    }
  }

  /** Returns the string at the start of {@code memory}, still to be decoded. */
  static byte[] bytes(MemorySegment memory) {
    // Only standard charsets may be asked for: not those of Windows and of older locales.
    return memory.getString(0, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
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

  private static final class Strerror {
    private static final @Nullable MethodHandle HANDLE =
        CLibrary.find("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    /** Not the class, whose monitor a program could keep. */
    private static final Object LOCK = new Object();

    /**
     * Calls {@code strerror}, whose string the C library owns.
     *
     * <p>Locked: for an unknown code, C libraries such as glibc before 2.32 return a static buffer,
     * which the next call overwrites. Nothing of the program's runs under this lock.
     */
    static byte[] call(int code) {
      if (HANDLE == null) {
        return new byte[0];
      }
      synchronized (LOCK) {
        try {
          MemorySegment string = (MemorySegment) HANDLE.invokeExact(code);
          return string.address() == 0 ? new byte[0] : bytes(string.reinterpret(MOST_BYTES));
        } catch (Throwable failure) {
          throw CLibrary.rethrow(failure);
        }
      }
    }
  }

  /**
   * Names of error codes, which most C libraries can't tell.
   *
   * <p>Each system has a table, made from the headers of its C library. If a code has two names,
   * the table has the name that the header defines by number. macOS and Windows have the same codes
   * on all machines. Linux has not: the table holds for the machines listed here.
   */
  static final class ErrnoNames {
    static final String LINUX = "errno-linux.txt";
    static final String MACOS = "errno-macos.txt";
    static final String WINDOWS = "errno-windows.txt";

    private static final Set<String> MACHINES =
        Set.of(
            "aarch64", "amd64", "arm", "i386", "loongarch64", "ppc64le", "riscv64", "s390x", "x86");

    private ErrnoNames() {}

    /** Returns the name of the constant, or null. */
    static @Nullable String nameOf(int code) {
      return OfThisSystem.NAMES.getProperty(Integer.toString(code));
    }

    /** Holds the table, which is read when a name is first needed. */
    private static final class OfThisSystem {
      static final Properties NAMES =
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

    /** Reads lines of a code and its name; returns an empty table if the file can't be read. */
    static Properties read(@Nullable String table) {
      Properties names = new Properties();
      try (InputStream file = table == null ? null : ErrnoNames.class.getResourceAsStream(table)) {
        if (file != null) {
          names.load(file);
        }
      } catch (IOException unreadable) {
        names.clear();
      }
      return names;
    }
  }
}
