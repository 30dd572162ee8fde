package dev.rockpool.call;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of error codes, for C libraries without {@code strerrorname_np}: those of macOS and
 * Windows, musl, and glibc before 2.32.
 *
 * <p>A table for each system, made of the headers of its C library; where a code has two names, the
 * one that the header defines by number. macOS and Windows have the same codes on all machines.
 * Linux has not: the kernel gives codes the same numbers on the machines that are listed here.
 */
final class ErrnoNames {
  static final String LINUX = "errno-linux.txt";
  static final String MACOS = "errno-macos.txt";
  static final String WINDOWS = "errno-windows.txt";

  private static final Set<String> MACHINES = Set.of("amd64", "aarch64", "riscv64", "s390x");

  private ErrnoNames() {}

  /** The name of the constant, or null. */
  static @Nullable String nameOf(int code) {
    return OfThisSystem.NAMES.get(code);
  }

  /** Read when a name is first asked for. */
  private static final class OfThisSystem {
    static final Map<Integer, String> NAMES =
        read(tableFor(System.getProperty("os.name", ""), System.getProperty("os.arch", "")));
  }

  /** The table for a system, as the JVM calls it and its machine; null if there is none. */
  static @Nullable String tableFor(String system, String machine) {
    if (system.equals("Linux")) {
      return MACHINES.contains(machine) ? LINUX : null;
    }
    if (system.startsWith("Mac")) {
      return MACOS;
    }
    return system.startsWith("Windows") ? WINDOWS : null;
  }

  /** Reads lines of a code and its name; none if the file is not there. */
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
