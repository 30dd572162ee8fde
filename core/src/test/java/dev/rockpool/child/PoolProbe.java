package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Prints what the options of this JVM made of the shared pool. */
final class PoolProbe {
  private static final int ARENAS = 70;
  private static final int GRANULE = 16;

  /** Bytes of the first allocation: those that arenas of JDK 28 have of their own. */
  private static final int FIRST = 64;

  private PoolProbe() {}

  public static void main(String[] args) {
    System.out.println("pool=" + ArenaPool.shared());
    System.out.println("own pool=" + ArenaPool.builder().slabByteSize(64).build());
    System.out.println("shared slots=" + ArenaPool.shared().sharedSlots());
    System.out.println("larger=" + hasLarger());
    System.out.println("served=" + served());
    System.out.println("room=" + room());
    System.out.println("page aligned=" + isPageAligned());
    System.out.println("works=" + works());
  }

  /** Whether what no slab of the thread holds is served from the pool all the same. */
  private static boolean hasLarger() {
    long before = ArenaPool.shared().statistics().servedFromSlab();
    try (Arena arena = Arenas.ofConfined()) {
      arena.allocate(8000);
    }
    return ArenaPool.shared().statistics().servedFromSlab() > before;
  }

  /** The number of arenas served from slabs, of many open ones. */
  private static int served() {
    List<Arena> open = new ArrayList<>();
    int served = 0;
    for (int i = 0; i < ARENAS; i++) {
      Arena arena = Arenas.ofConfined();
      open.add(arena);
      if (roomFrom(arena, FIRST + GRANULE) > FIRST) {
        served++;
      }
    }
    open.forEach(Arena::close);
    return served;
  }

  /** Bytes that one arena takes from its slab; those of the first allocation if it has none. */
  private static int room() {
    try (Arena arena = Arenas.ofConfined()) {
      return roomFrom(arena, Integer.MAX_VALUE);
    }
  }

  /**
   * Bytes without a gap, up to {@code limit}. Only slabs leave no gap behind the first allocation:
   * malloc puts a header there.
   */
  private static int roomFrom(Arena arena, int limit) {
    long start = arena.allocate(FIRST).address();
    int room = FIRST;
    while (room < limit && arena.allocate(GRANULE).address() == start + room) {
      room += GRANULE;
    }
    return room;
  }

  private static boolean isPageAligned() {
    long bits = 0;
    try (Arena arena = Arenas.ofConfined()) {
      for (int i = 0; i < 5; i++) {
        bits |= arena.allocate(8).address();
      }
    }
    return bits % 4096 == 0;
  }

  private static boolean works() {
    for (int i = 0; i < 1000; i++) {
      try (Arena arena = Arenas.ofConfined()) {
        MemorySegment number = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment text = arena.allocateFrom("text " + i);
        if (number.get(ValueLayout.JAVA_LONG, 0) != 0 || !text.getString(0).equals("text " + i)) {
          return false;
        }
        number.set(ValueLayout.JAVA_LONG, 0, -1);
      }
    }
    return true;
  }
}
