package dev.rockpool.call;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of error codes, for C libraries without {@code strerrorname_np}: those of macOS and
 * Windows, musl, and glibc before 2.32.
 *
 * <p>Each system has a table, made from the headers of its C library. If a code has two names, the
 * table has the name that the header defines by number. macOS and Windows have the same codes on
 * all machines. Linux has not: the table holds for the machines listed here.
 */
final class ErrnoNames {
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
