package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Numbers, values, strings and arrays. */
class Sizes {
  private static final int COUNT = 3;
  private static final long LENGTH = COUNT * 7L;

  void numbers() {
    // -> confined: try-with-resources; at most 67 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(LENGTH);
      arena.allocate(16, 8);
      arena.allocate(ValueLayout.JAVA_SHORT, COUNT);
      arena.allocate(ValueLayout.JAVA_LONG.byteSize() * COUNT);
    }
  }

  void values(int value, MemorySegment address) {
    // -> confined: try-with-resources; at most 33 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocateFrom(ValueLayout.JAVA_INT, value);
      arena.allocateFrom(ValueLayout.ADDRESS, address);
      arena.allocateFrom(ValueLayout.JAVA_CHAR, 'a', 'b');
      arena.allocateFrom(ValueLayout.JAVA_BYTE, address, ValueLayout.JAVA_BYTE, 0, 1);
      arena.allocateFrom(ValueLayout.JAVA_LONG, new long[2]);
    }
  }

  void oneLong() {
    // -> confined: try-with-resources; 8 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocateFrom(ValueLayout.JAVA_LONG, 1000L);
    }
    // -> confined: try-with-resources; at most 16 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocateFrom(ValueLayout.JAVA_LONG, 0L);
      arena.allocateFrom(ValueLayout.JAVA_LONG_UNALIGNED, -1L);
    }
  }

  void strings(String text) {
    // -> confined: try-with-resources; at most 14 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocateFrom("h\u00e9llo");
      arena.allocateFrom("abc", StandardCharsets.US_ASCII);
      arena.allocateFrom("", StandardCharsets.UTF_16LE);
      arena.allocate(1);
    }
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      arena.allocateFrom(text);
    }
  }

  void either(boolean large) {
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(large ? 64 : 8);
    }
    // -> confined: try-with-resources; at most 64 bytes
    try (Arena arena = Arena.ofConfined()) {
      if (large) {
        arena.allocate(64);
      } else {
        arena.allocate(8);
      }
    }
  }

  void unknown(int[] values, long size) {
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      arena.allocateFrom(ValueLayout.JAVA_INT, values);
    }
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(size);
    }
  }
}
