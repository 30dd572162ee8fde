package shapes;

import java.lang.foreign.Arena;

/** Each way out closes. */
class ManyExits {
  int run(int[] values) {
    outer:
    for (int value : values) {
      // -> confined: try-with-resources; in a loop; asked for nothing
      try (Arena arena = Arena.ofConfined()) {
        switch (value) {
          case 0:
            continue outer;
          case 1:
            break outer;
          case 2:
            throw new IllegalStateException();
          case 3:
            return arena.hashCode();
          default:
            arena.scope();
        }
      }
    }
    return -1;
  }
}
