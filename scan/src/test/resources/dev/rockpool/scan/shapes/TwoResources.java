package shapes;

import java.lang.foreign.Arena;

/** The second one is nested in the first. */
class TwoResources {
  long run() {
    // -> confined: try-with-resources; 4 bytes
    try (Arena first = Arena.ofConfined();
        // -> confined: try-with-resources; nested; 2 bytes
        Arena second = Arena.ofConfined()) {
      return first.allocate(4).address() + second.allocate(2).address();
    }
  }
}
