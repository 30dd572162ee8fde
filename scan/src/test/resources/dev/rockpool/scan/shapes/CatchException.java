package shapes;

import java.lang.foreign.Arena;

/** An Error would leave it open. */
class CatchException {
  void run() {
    // -> confined: closed on some paths; 8 bytes
    Arena arena = Arena.ofConfined();
    try {
      arena.allocate(8);
      arena.close();
    } catch (Exception e) {
      arena.close();
      throw e;
    }
  }
}
