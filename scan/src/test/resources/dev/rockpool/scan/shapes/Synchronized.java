package shapes;

import java.lang.foreign.Arena;

/** Monitors are left by exceptions, too. */
class Synchronized {
  void run(Object lock) {
    synchronized (lock) {
      // -> confined: try-with-resources; 8 bytes
      try (Arena arena = Arena.ofConfined()) {
        synchronized (arena) {
          arena.allocate(8);
        }
      }
    }
  }

  void lockMayBeNull(Object lock) {
    // -> confined: closed on some paths; asked for nothing
    Arena arena = Arena.ofConfined();
    synchronized (lock) {
      arena.close();
    }
  }

  void leftBeforeItIsClosed(Object lock) {
    Arena arena;
    synchronized (lock) {
      // -> confined: closed on all paths; asked for nothing
      arena = Arena.ofConfined();
    }
    arena.close();
  }
}
