package shapes;

import java.lang.foreign.Arena;

/** Created before the statement that closes it. */
class VariableAsResource {
  void run() {
    // -> confined: try-with-resources; 8 bytes
    Arena arena = Arena.ofConfined();
    try (arena) {
      arena.allocate(8);
    }
  }
}
