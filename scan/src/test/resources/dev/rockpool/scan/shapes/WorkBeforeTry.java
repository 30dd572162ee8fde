package shapes;

import java.lang.foreign.Arena;

/** Between creation and try something may throw. */
class WorkBeforeTry {
  void run(Object lock) {
    // -> confined: closed on some paths; asked for nothing
    Arena arena = Arena.ofConfined();
    lock.notifyAll();
    try {
      lock.notifyAll();
    } finally {
      arena.close();
    }
  }
}
