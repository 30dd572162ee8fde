package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;

/** To code that may do what it likes. */
class Passed {
  void run() {
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      use(arena);
    }
  }

  void use(SegmentAllocator allocator) {
    allocator.allocate(8);
  }
}
