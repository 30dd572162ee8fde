package shapes;

import java.lang.foreign.Arena;

/** All paths, but not by try-with-resources. */
class TryFinally {
  void run() {
    // -> confined: closed on all paths; 8 bytes
    Arena arena = Arena.ofConfined();
    try {
      arena.allocate(8);
    } finally {
      arena.close();
    }
  }
}
