package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** To methods that nothing can override: what they ask for is known. */
class PassedAlong {
  private static Object kept;

  void run(int count) {
    // -> confined: try-with-resources; passed; at most 28 bytes
    try (Arena arena = Arena.ofConfined()) {
      ofSize(arena, 8);
      ofSize(arena, 4);
      twice(16, arena);
    }
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < count; i++) {
        ofSize(arena, 8);
      }
    }
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      ofSize(arena, count);
    }
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      again(arena, count);
    }
    // -> confined: try-with-resources; passed; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      keep(arena);
    }
    // -> confined: try-with-resources; passed; asked for nothing
    try (Arena arena = Arena.ofConfined()) {
      ignore(arena);
    }
  }

  private static MemorySegment ofSize(SegmentAllocator allocator, long size) {
    return allocator.allocate(size);
  }

  private long twice(long size, Arena arena) {
    return ofSize(arena, size / 2).address() + ofSize(arena, size / 2).address();
  }

  private static void again(Arena arena, int count) {
    arena.allocate(1);
    if (count > 0) {
      again(arena, count - 1);
    }
  }

  private static void keep(Arena arena) {
    kept = arena;
  }

  final void ignore(Arena arena) {
    arena.scope();
  }
}
