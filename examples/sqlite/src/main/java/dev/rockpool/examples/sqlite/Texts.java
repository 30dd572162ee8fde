package dev.rockpool.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;

/** Text whose length is told, not found by the zero behind it: it may have zeroes within. */
final class Texts {
  private Texts() {}

  /** The first {@code bytes} of {@code text}, which are UTF-8. */
  static String read(MemorySegment text, long bytes) {
    byte[] copy = new byte[Math.toIntExact(bytes)];
    MemorySegment.copy(text, JAVA_BYTE, 0, copy, 0, copy.length);
    return new String(copy, UTF_8);
  }
}
