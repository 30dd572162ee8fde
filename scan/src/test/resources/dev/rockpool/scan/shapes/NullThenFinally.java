package shapes;

import java.lang.foreign.Arena;

/** The variable is null at first. */
class NullThenFinally {
  void run() {
    Arena arena = null;
    try {
      // -> confined: closed on all paths; 8 bytes
      arena = Arena.ofConfined();
      arena.allocate(8);
    } finally {
      if (arena != null) {
        arena.close();
      }
    }
  }
}
