package shapes;

import java.lang.foreign.Arena;

/** With everything that a try statement may have. */
class CatchAndFinally {
  int run() {
    int result = 0;
    // -> confined: try-with-resources; 16 bytes
    try (Arena arena = Arena.ofConfined()) {
      result = (int) arena.allocate(16).byteSize();
    } catch (IllegalStateException e) {
      result = -1;
    } finally {
      result++;
    }
    return result;
  }
}
