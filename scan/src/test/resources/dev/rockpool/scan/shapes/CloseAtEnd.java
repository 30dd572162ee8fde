package shapes;

import java.lang.foreign.Arena;

/** An exception would leave it open. */
class CloseAtEnd {
  void run() {
    // -> confined: closed on some paths; 8 bytes
    Arena arena = Arena.ofConfined();
    arena.allocate(8);
    arena.close();
  }
}
