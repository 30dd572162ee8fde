package shapes;

import java.lang.foreign.Arena;

/** Nothing can go wrong in between. */
class CloseAtOnce {
  void run() {
    // -> confined: closed on all paths; asked for nothing
    Arena arena = Arena.ofConfined();
    arena.close();
  }
}
