package shapes;

import java.lang.foreign.Arena;

/** By hand, without the suppressed exception of try-with-resources. */
class CatchThrowable {
  void run() {
    // -> confined: closed on all paths; 8 bytes
    Arena arena = Arena.ofConfined();
    try {
      arena.allocate(8);
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
    arena.close();
  }
}
