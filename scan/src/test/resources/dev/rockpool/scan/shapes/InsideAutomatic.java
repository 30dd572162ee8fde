package shapes;

import java.lang.foreign.Arena;

/** Only what is going to be closed can have others within. */
class InsideAutomatic {
  void run() {
    // -> auto: never closed in sight; 8 bytes
    Arena automatic = Arena.ofAuto();
    // -> confined: try-with-resources; asked for nothing
    try (Arena arena = Arena.ofConfined()) {
      automatic.allocate(8);
      arena.scope();
    }
  }
}
