package dev.rockpool.call;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of error codes on Linux, for C libraries without {@code strerrorname_np}: those before
 * glibc 2.32, and musl.
 *
 * <p>The kernel gives codes the same numbers on all machines that are listed here. The file was
 * made from the C library's own headers; a test makes it again and compares.
 */
final class LinuxErrnoNames {
  static final String RESOURCE = "errno-linux.txt";

  private static final Set<String> MACHINES = Set.of("amd64", "aarch64", "riscv64", "s390x");

  private LinuxErrnoNames() {}

  /** The name of the constant, or null. */
  static @Nullable String nameOf(int code) {
    return Table.NAMES.get(code);
  }

  private static final class Table {
    static final Map<Integer, String> NAMES = isHere() ? read() : Map.of();
  }

  private static boolean isHere() {
    return System.getProperty("os.name", "").equals("Linux")
        && MACHINES.contains(System.getProperty("os.arch", ""));
  }

  /** Reads lines of a code and its name; none if the file is not there. */
  private static Map<Integer, String> read() {
    Map<Integer, String> names = new HashMap<>();
    try (InputStream file = LinuxErrnoNames.class.getResourceAsStream(RESOURCE)) {
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
