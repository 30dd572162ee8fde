package shapes;

import java.lang.foreign.Arena;

/** Shared, automatic, global. */
class OtherKinds {
  void run() {
    // -> shared: try-with-resources; 1 byte
    try (Arena arena = Arena.ofShared()) {
      arena.allocate(1);
    }
    // -> auto: never closed in sight; 2 bytes
    Arena.ofAuto().allocate(2);
    // -> global: never closed in sight; 3 bytes
    Arena.global().allocate(3);
  }
}
