package dev.rockpool.watch;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Resident memory of this process, in bytes.
 *
 * @param anonymous what the system can't take back: pages of no file, shared ones included
 * @param files pages of files, which it can read again
 */
public record Resident(long anonymous, long files) {
  private static final String STATUS = "/proc/self/status";

  /** Longer than the file, which is read at once. */
  private static final int MOST_BYTES = 8192;

  /** Whether this system tells. */
  static boolean isKnown() {
    return now().anonymous > 0;
  }

  /** Reads some KiB of text, which takes some 10 us. */
  public static Resident now() {
    try (FileInputStream status = new FileInputStream(STATUS)) {
      byte[] text = new byte[MOST_BYTES];
      int length = Math.max(0, status.read(text));
      return of(new String(text, 0, length, StandardCharsets.ISO_8859_1));
    } catch (IOException unreadable) {
      return new Resident(0, 0);
    }
  }

  /** Returns the resident set. */
  public long all() {
    return anonymous + files;
  }

  /** From the text of {@code /proc/self/status}. */
  static Resident of(String status) {
    return new Resident(
        figure("\nRssAnon:", status) + figure("\nRssShmem:", status), figure("\nRssFile:", status));
  }

  private static long figure(String name, String status) {
    int start = status.indexOf(name);
    int end = status.indexOf(" kB", Math.max(0, start));
    return start < 0 || end < 0
        ? 0
        : Long.parseLong(status.substring(start + name.length(), end).strip()) << 10;
  }
}
