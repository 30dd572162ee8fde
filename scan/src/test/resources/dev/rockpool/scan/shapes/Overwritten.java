package shapes;

import java.lang.foreign.Arena;

/** The first one is lost. */
class Overwritten {
  void run() {
    // -> confined: never closed in sight; asked for nothing
    Arena arena = Arena.ofConfined();
    // -> confined: closed on all paths; nested; asked for nothing
    arena = Arena.ofConfined();
    arena.close();
  }
}
