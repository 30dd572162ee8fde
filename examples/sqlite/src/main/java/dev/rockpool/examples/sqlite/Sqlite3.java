package dev.rockpool.examples.sqlite;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions of SQLite that the binding needs, in C's own terms: nothing is checked here. The
 * handles are constants and invoked exactly, which is what lets the JVM compile a call to little
 * more than the call itself.
 */
@SuppressWarnings("restricted") // whoever calls native code does so knowingly
final class Sqlite3 {
  /** Result codes. */
  static final int OK = 0;

  static final int ROW = 100;
  static final int DONE = 101;

  /** The type of a column without a value. */
  static final int NULL = 5;

  /** The encoding of a text that is bound. */
  static final byte UTF8 = 1;

  static final int OPEN_READWRITE = 0x2;
  static final int OPEN_CREATE = 0x4;
  static final int OPEN_NOMUTEX = 0x8000;

  /** In place of a destructor: SQLite copies the bytes before the function returns. */
  static final MemorySegment TRANSIENT = MemorySegment.ofAddress(-1);

  /** Text of a length that only SQLite knows. */
  private static final AddressLayout TEXT =
      ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY = Library.load();

  private Sqlite3() {}

  private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... parameters) {
    return LINKER.downcallHandle(
        LIBRARY.findOrThrow(name), FunctionDescriptor.of(result, parameters));
  }

  /** A downcall throws no checked exception, but the type of a method handle can't tell. */
  private static Error unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new AssertionError(thrown);
    };
  }

  // The two types that most functions have; C2 inlines the calls, and sees constant handles.

  private static int call(MethodHandle function, MemorySegment handle) {
    try {
      return (int) function.invokeExact(handle);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static int call(MethodHandle function, MemorySegment handle, int index) {
    try {
      return (int) function.invokeExact(handle, index);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // const char *sqlite3_libversion(void)

  private static final MethodHandle LIBVERSION = bind("sqlite3_libversion", TEXT);

  static MemorySegment libversion() {
    try {
      return (MemorySegment) LIBVERSION.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // int sqlite3_open_v2(const char *name, sqlite3 **database, int flags, const char *vfs)

  private static final MethodHandle OPEN =
      bind("sqlite3_open_v2", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);

  static int open(MemorySegment name, MemorySegment database, int flags) {
    try {
      return (int) OPEN.invokeExact(name, database, flags, MemorySegment.NULL);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // int sqlite3_close(sqlite3 *database)

  private static final MethodHandle CLOSE = bind("sqlite3_close", JAVA_INT, ADDRESS);

  static int close(MemorySegment database) {
    return call(CLOSE, database);
  }

  // const char *sqlite3_errmsg(sqlite3 *database)

  private static final MethodHandle ERRMSG = bind("sqlite3_errmsg", TEXT, ADDRESS);

  static MemorySegment errmsg(MemorySegment database) {
    try {
      return (MemorySegment) ERRMSG.invokeExact(database);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // int sqlite3_extended_errcode(sqlite3 *database)

  private static final MethodHandle EXTENDED_ERRCODE =
      bind("sqlite3_extended_errcode", JAVA_INT, ADDRESS);

  static int extendedErrcode(MemorySegment database) {
    return call(EXTENDED_ERRCODE, database);
  }

  // int sqlite3_prepare_v2(
  //     sqlite3 *database, const char *sql, int bytes, sqlite3_stmt **statement, const char **tail)

  private static final MethodHandle PREPARE =
      bind("sqlite3_prepare_v2", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);

  static int prepare(
      MemorySegment database,
      MemorySegment sql,
      int bytes,
      MemorySegment statement,
      MemorySegment tail) {
    try {
      return (int) PREPARE.invokeExact(database, sql, bytes, statement, tail);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // int sqlite3_step(sqlite3_stmt *statement)

  private static final MethodHandle STEP = bind("sqlite3_step", JAVA_INT, ADDRESS);

  static int step(MemorySegment statement) {
    return call(STEP, statement);
  }

  // int sqlite3_reset(sqlite3_stmt *statement)

  private static final MethodHandle RESET = bind("sqlite3_reset", JAVA_INT, ADDRESS);

  static int reset(MemorySegment statement) {
    return call(RESET, statement);
  }

  // int sqlite3_finalize(sqlite3_stmt *statement)

  private static final MethodHandle FINALIZE = bind("sqlite3_finalize", JAVA_INT, ADDRESS);

  /** Not named like the method of Object. */
  static int finish(MemorySegment statement) {
    return call(FINALIZE, statement);
  }

  // int sqlite3_bind_text64(
  //     sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes,
  //     void (*destructor)(void *), unsigned char encoding)

  private static final MethodHandle BIND_TEXT =
      bind(
          "sqlite3_bind_text64",
          JAVA_INT,
          ADDRESS,
          JAVA_INT,
          ADDRESS,
          JAVA_LONG,
          ADDRESS,
          JAVA_BYTE);

  static int bindText(MemorySegment statement, int index, MemorySegment text, long bytes) {
    try {
      return (int) BIND_TEXT.invokeExact(statement, index, text, bytes, TRANSIENT, UTF8);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // int sqlite3_data_count(sqlite3_stmt *statement)

  private static final MethodHandle DATA_COUNT = bind("sqlite3_data_count", JAVA_INT, ADDRESS);

  static int dataCount(MemorySegment statement) {
    return call(DATA_COUNT, statement);
  }

  // int sqlite3_column_type(sqlite3_stmt *statement, int index)

  private static final MethodHandle COLUMN_TYPE =
      bind("sqlite3_column_type", JAVA_INT, ADDRESS, JAVA_INT);

  static int columnType(MemorySegment statement, int index) {
    return call(COLUMN_TYPE, statement, index);
  }

  // const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int index)

  private static final MethodHandle COLUMN_TEXT =
      bind("sqlite3_column_text", TEXT, ADDRESS, JAVA_INT);

  static MemorySegment columnText(MemorySegment statement, int index) {
    try {
      return (MemorySegment) COLUMN_TEXT.invokeExact(statement, index);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // int sqlite3_column_bytes(sqlite3_stmt *statement, int index)

  private static final MethodHandle COLUMN_BYTES =
      bind("sqlite3_column_bytes", JAVA_INT, ADDRESS, JAVA_INT);

  static int columnBytes(MemorySegment statement, int index) {
    return call(COLUMN_BYTES, statement, index);
  }

  /**
   * Returns the first {@code bytes} of {@code text}, which are UTF-8. Without the length, a text
   * with zeroes in it would end at the first.
   */
  static String read(MemorySegment text, long bytes) {
    byte[] copy = new byte[Math.toIntExact(bytes)];
    MemorySegment.copy(text, JAVA_BYTE, 0, copy, 0, copy.length);
    return new String(copy, UTF_8);
  }

  /** Finds SQLite's shared library, which stays loaded until the JVM ends. */
  static final class Library {
    private static final List<String> NAMES =
        List.of(
            "libsqlite3.so.0", // Linux; without .0 it comes with the headers only
            "libsqlite3.so",
            "/usr/lib/libsqlite3.dylib", // macOS
            "winsqlite3.dll", // part of Windows
            "sqlite3.dll");

    private Library() {}

    /**
     * The functions of the library that the system property names, or else of the first that is
     * there.
     *
     * @throws UnsatisfiedLinkError if there is none; it says what was tried, and what to do
     */
    static SymbolLookup load() {
      return load(System.getProperty("sqlite.library"));
    }

    @SuppressWarnings("restricted") // whoever calls native code does so knowingly
    static SymbolLookup load(@Nullable String chosen) {
      List<String> names = chosen == null ? NAMES : List.of(chosen);
      for (String name : names) {
        try {
          return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException absent) {
          // The message names it.
        }
      }
      throw new UnsatisfiedLinkError(
          "SQLite's shared library must be on this system: none of "
              + names
              + " could be loaded; install it (Debian, Ubuntu: apt-get install libsqlite3-0;"
              + " Fedora: dnf install sqlite-libs), or name its file by -Dsqlite.library=FILE");
    }
  }
}
