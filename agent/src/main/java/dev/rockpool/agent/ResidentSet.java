package dev.rockpool.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The resident set of this process. */
final class ResidentSet {
  private static final String STATUS = "/proc/self/status";
  private static final String KEY = "VmRSS:";

  private ResidentSet() {}

  /** Returns bytes; 0 where the system does not tell. */
  static long read() {
    try (FileInputStream status = new FileInputStream(STATUS)) {
      String text = new String(status.readAllBytes(), StandardCharsets.ISO_8859_1);
      int from = text.indexOf(KEY) + KEY.length();
      return Long.parseLong(text.substring(from, text.indexOf("kB", from)).strip()) << 10;
    } catch (IOException | RuntimeException notLinux) {
      return 0;
    }
  }
}
