package shapes;

import java.lang.foreign.Arena;

/** The same methods again and again: what was found out about one call holds for no other one. */
class PassedAgain {
  void sizes() {
    // -> confined: try-with-resources; passed; 8 bytes
    try (Arena arena = Arena.ofConfined()) {
      ofSize(arena, 8);
    }
    // -> confined: try-with-resources; passed; 16 bytes
    try (Arena arena = Arena.ofConfined()) {
      ofSize(arena, 16);
    }
    // -> confined: try-with-resources; passed; at most 24 bytes
    try (Arena arena = Arena.ofConfined()) {
      ofSize(arena, 16);
      ofSize(arena, 8);
    }
  }

  void positions() {
    // -> confined: try-with-resources; passed; at most 6 bytes
    try (Arena first = Arena.ofConfined();
        // -> confined: try-with-resources; passed, nested; at most 5 bytes
        Arena second = Arena.ofConfined()) {
      oneAndTwo(first, second);
      oneAndTwo(first, first);
      oneAndTwo(second, first);
      // first: 1, 1 and 2, 2; second: 2, 1
      second.allocate(2);
    }
  }

  void overloads() {
    // -> confined: try-with-resources; passed; at most 9 bytes
    try (Arena arena = Arena.ofConfined()) {
      more(arena, (short) 3);
      more(arena, 3);
    }
  }

  void selves(int count) {
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      there(arena, count);
    }
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      back(arena, count);
    }
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      there(arena, count);
    }
  }

  private static void ofSize(Arena arena, long size) {
    arena.allocate(size);
  }

  private static void more(Arena arena, short size) {
    arena.allocate(size + 1);
  }

  private static void more(Arena arena, int size) {
    arena.allocate(size + 1 + 1);
  }

  private static void oneAndTwo(Arena one, Arena two) {
    one.allocate(1);
    two.allocate(2);
  }

  private static void there(Arena arena, int count) {
    arena.allocate(1);
    back(arena, count);
  }

  private static void back(Arena arena, int count) {
    if (count > 0) {
      there(arena, count - 1);
    }
  }

  static class Base {
    void fill(Arena arena) {
      arena.allocate(4);
    }
  }

  static class Derived extends Base {
    void certainly() {
      // -> confined: try-with-resources; passed; 4 bytes
      try (Arena arena = Arena.ofConfined()) {
        super.fill(arena);
      }
    }

    void perhaps(Base base) {
      // -> confined: try-with-resources; passed; bytes unknown
      try (Arena arena = Arena.ofConfined()) {
        base.fill(arena);
      }
    }

    void certainlyAgain() {
      // -> confined: try-with-resources; passed; 4 bytes
      try (Arena arena = Arena.ofConfined()) {
        super.fill(arena);
      }
    }
  }
}
