package shapes;

import java.lang.foreign.Arena;

/** One arena, many requests. */
class RepeatedRequest {
  void run(int count) {
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < count; i++) {
        arena.allocate(8);
      }
    }
  }

  void onceEach(int count) {
    for (int i = 0; i < count; i++) {
      // -> confined: try-with-resources; in a loop; 8 bytes
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(8);
      }
    }
  }
}
