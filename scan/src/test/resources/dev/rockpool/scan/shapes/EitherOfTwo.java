package shapes;

import java.lang.foreign.Arena;

/** One variable, two kinds. */
class EitherOfTwo {
  void run(boolean shared) {
    // -> shared: try-with-resources; 8 bytes
    // -> confined: try-with-resources; 8 bytes
    try (Arena arena = shared ? Arena.ofShared() : Arena.ofConfined()) {
      arena.allocate(8);
    }
  }
}
