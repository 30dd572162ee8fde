package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Only one of several requests is made. */
class Branches {
  void ifElse(boolean b) {
    // -> confined: try-with-resources; at most 500 bytes
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = b ? arena.allocate(500) : arena.allocate(500);
      segment.fill((byte) 0);
    }
  }

  void choices(int choice, boolean more) {
    // -> confined: try-with-resources; at most 118 bytes
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(10);
      switch (choice) {
        case 0 -> arena.allocate(20);
        case 1 -> arena.allocate(100);
        case 2 -> {
          arena.allocate(30);
          arena.allocate(60);
        }
        default -> {}
      }
      if (more) {
        arena.allocate(8);
      }
    }
  }

  long returns(boolean b) {
    // -> confined: try-with-resources; at most 9 bytes
    try (Arena arena = Arena.ofConfined()) {
      if (b) {
        return arena.allocate(7).address();
      }
      return arena.allocate(9).address();
    }
  }

  void again(boolean b) {
    // -> confined: try-with-resources; at most 700 bytes
    try (Arena arena = Arena.ofConfined()) {
      try {
        arena.allocate(400);
      } catch (OutOfMemoryError e) {
        arena.allocate(300);
      }
    }
  }

  void inHelpers(boolean b) {
    // -> confined: try-with-resources; passed; at most 40 bytes
    try (Arena arena = Arena.ofConfined()) {
      oneOrTheOther(arena, b);
    }
  }

  private static MemorySegment oneOrTheOther(Arena arena, boolean b) {
    return b ? arena.allocate(16) : arena.allocate(40);
  }

  void inALoop(int count) {
    for (int i = 0; i < count; i++) {
      // -> confined: try-with-resources; in a loop; at most 32 bytes
      try (Arena arena = Arena.ofConfined()) {
        if (i == 0) {
          arena.allocate(32);
        } else {
          arena.allocate(16);
        }
      }
    }
  }

  void tooMuch() {
    // -> confined: try-with-resources; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(Long.MAX_VALUE);
      arena.allocate(Long.MAX_VALUE);
    }
  }
}
