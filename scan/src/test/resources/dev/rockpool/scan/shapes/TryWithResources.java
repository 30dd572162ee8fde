package shapes;

import java.lang.foreign.Arena;

/** The plain shape. */
class TryWithResources {
  long run() {
    // -> confined: try-with-resources; 8 bytes
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(8).address();
    }
  }
}
