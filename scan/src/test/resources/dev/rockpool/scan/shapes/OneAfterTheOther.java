package shapes;

import java.lang.foreign.Arena;

/** The first one is closed when the second one is opened. */
class OneAfterTheOther {
  void run() {
    // -> confined: try-with-resources; 1 byte
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(1);
    }
    // -> confined: try-with-resources; 2 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(2);
    }
  }
}
