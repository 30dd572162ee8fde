package dev.rockpool.child;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory in use: found zero, filled with a mark that nobody else has, in no other hands meanwhile,
 * and still marked when it is given back.
 */
public record Marked(MemorySegment memory, long mark) {
  /** Marks of all memory in use, by address. */
  private static final ConcurrentHashMap<Long, Long> IN_USE = new ConcurrentHashMap<>();

  static Marked allocate(Arena arena, int words, long mark) {
    MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG, words);
    Long other = IN_USE.putIfAbsent(memory.address(), mark);
    if (other != null) {
      throw new AssertionError("%s of %x is %x's already".formatted(memory, mark, other));
    }
    write(memory, mark);
    return new Marked(memory, mark);
  }

  /** Finds {@code memory} zero, and fills it with {@code mark}. */
  static void write(MemorySegment memory, long mark) {
    replace(memory, 0, mark);
  }

  /** To be called before the arena is closed. */
  void check() {
    replace(memory, mark, ~mark);
    IN_USE.remove(memory.address(), mark);
  }

  /** Finds nothing but {@code expected} in {@code memory}, and fills it with {@code mark}. */
  public static void replace(MemorySegment memory, long expected, long mark) {
    for (long offset = 0; offset < memory.byteSize(); offset += Long.BYTES) {
      long found = memory.get(ValueLayout.JAVA_LONG, offset);
      if (found != expected) {
        throw new AssertionError(
            "%x instead of %x at byte %d of %s".formatted(found, expected, offset, memory));
      }
      memory.set(ValueLayout.JAVA_LONG, offset, mark);
    }
  }
}
