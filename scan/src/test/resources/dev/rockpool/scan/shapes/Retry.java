package shapes;

import java.lang.foreign.Arena;

/** An exception leads back to the creation. */
class Retry {
  void run(Runnable task) {
    while (true) {
      // -> confined: try-with-resources; in a loop; asked for nothing
      try (Arena arena = Arena.ofConfined()) {
        task.run();
        return;
      } catch (IllegalStateException e) {
        continue;
      }
    }
  }
}
