package dev.rockpool.cli.scan;

import java.util.OptionalLong;

/** How much an arena is asked for, in steps. */
enum SizeClass {
  NOTHING("0", 0),
  UP_TO_8("1..8", 8),
  UP_TO_32("9..32", 32),
  UP_TO_64("33..64", 64),
  UP_TO_512("65..512", 512),
  MORE("more", Long.MAX_VALUE),
  UNKNOWN("unknown", -1);

  private final String label;
  private final long most;

  SizeClass(String label, long most) {
    this.label = label;
    this.most = most;
  }

  /** For tables: bytes. */
  String label() {
    return label;
  }

  static SizeClass of(OptionalLong bytes) {
    if (bytes.isPresent()) {
      for (SizeClass size : values()) {
        if (bytes.getAsLong() <= size.most) {
          return size;
        }
      }
    }
    return UNKNOWN;
  }
}
