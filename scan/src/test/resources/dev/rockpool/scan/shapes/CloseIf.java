package shapes;

import java.lang.foreign.Arena;

/** One path does not close. */
class CloseIf {
  void run(boolean close) {
    // -> confined: closed on some paths; asked for nothing
    Arena arena = Arena.ofConfined();
    if (close) {
      arena.close();
    }
  }
}
