package shapes;

import java.lang.foreign.Arena;

/** By a lambda, and by a method reference. */
class Captured {
  void run() {
    // -> confined: try-with-resources; captured; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      Runnable task = () -> arena.allocate(8);
      task.run();
    }
  }

  Runnable reference() {
    // -> confined: never closed in sight; captured; bytes unknown
    Arena arena = Arena.ofConfined();
    return arena::close;
  }
}
