package shapes;

import java.lang.foreign.Arena;

/** Two variables that may change places. */
class ClosesAnother {
  void run(boolean swap) {
    // -> confined: closed on some paths; asked for nothing
    Arena first = Arena.ofConfined();
    // -> confined: closed on some paths; nested; asked for nothing
    Arena second = Arena.ofConfined();
    Arena one = swap ? second : first;
    one.close();
  }
}
