package shapes;

import java.lang.foreign.Arena;

/** A finally within the statement closes something else. */
class WithinAnotherTry {
  void run(AutoCloseable other) throws Exception {
    try (other) {
      // -> confined: closed on all paths; 8 bytes
      Arena arena = Arena.ofConfined();
      try {
        arena.allocate(8);
      } finally {
        arena.close();
      }
    }
  }
}
