package dev.rockpool.examples.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds SQLite's shared library, which stays loaded until the JVM ends. */
final class SqliteLibrary {
  /** A system property: the name or file of the library, in place of those that are tried. */
  static final String PROPERTY = "sqlite.library";

  private static final List<String> NAMES =
      List.of(
          "libsqlite3.so.0", // Linux; without .0 it comes with the headers only
          "libsqlite3.so",
          "/usr/lib/libsqlite3.dylib", // macOS
          "winsqlite3.dll", // part of Windows
          "sqlite3.dll");

  private SqliteLibrary() {}

  /**
   * The functions of the library.
   *
   * @throws UnsatisfiedLinkError if there is none; it says what was tried, and what to do
   */
  static SymbolLookup load() {
    return load(System.getProperty(PROPERTY));
  }

  @SuppressWarnings("restricted") // whoever calls native code does so knowingly
  static SymbolLookup load(@Nullable String chosen) {
    List<String> failures = new ArrayList<>();
    for (String name : chosen == null ? NAMES : List.of(chosen)) {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        failures.add(name);
      }
    }
    throw new UnsatisfiedLinkError(
        "SQLite's shared library must be on this system: none of "
            + failures
            + " could be loaded; install it (Debian, Ubuntu: apt-get install libsqlite3-0; Fedora:"
            + " dnf install sqlite-libs), or name its file by -D"
            + PROPERTY
            + "=FILE");
  }
}
