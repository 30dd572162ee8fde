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
}
