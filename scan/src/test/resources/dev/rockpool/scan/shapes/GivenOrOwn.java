package shapes;

import java.lang.foreign.Arena;

/** The variable may hold something else, but not after the creation. */
class GivenOrOwn {
  void run(Arena given) {
    // -> confined: try-with-resources; 8 bytes
    try (Arena arena = given != null ? given : Arena.ofConfined()) {
      arena.allocate(8);
    }
  }
}
