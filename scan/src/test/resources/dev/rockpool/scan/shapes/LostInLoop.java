package shapes;

import java.lang.foreign.Arena;

/** Only the last one is closed. */
class LostInLoop {
  void run(int count) {
    Arena arena = null;
    for (int i = 0; i < count; i++) {
      // -> confined: closed on some paths; in a loop; asked for nothing
      arena = Arena.ofConfined();
    }
    if (arena != null) {
      arena.close();
    }
  }
}
