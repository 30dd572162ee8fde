package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The JDK ties a segment to it, and asks it for nothing. */
class PassedToJdk {
  void run(MemorySegment segment) {
    // -> confined: try-with-resources; passed to the JDK; 4 bytes
    try (Arena arena = Arena.ofConfined()) {
      segment.reinterpret(arena, null);
      arena.allocate(4);
    }
  }
}
