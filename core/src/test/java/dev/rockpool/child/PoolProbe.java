package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolStatistics;
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
    System.out.println("state=" + ArenaPool.shared().statistics().state());
    System.out.println("own pool=" + ArenaPool.builder().blockByteSize(64).build());
    System.out.println("page aligned=" + isPageAligned());
    System.out.println("works=" + works());
    System.out.println("kept=" + kept());
    System.out.println("by JDK=" + ArenaPool.shared().statistics().allocationsByJdk());
    System.out.println("room=" + room()); // the JDK serves its last allocation
  }

  /** The number of arenas served from kept blocks, of many open ones. */
  private static long kept() {
    openMany();
    PoolStatistics before = ArenaPool.shared().statistics();
    openMany();
    PoolStatistics after = ArenaPool.shared().statistics();
    return after.arenasClosed()
        - before.arenasClosed()
        - (after.blocksAllocated() - before.blocksAllocated());
  }

  private static void openMany() {
    List<Arena> open = new ArrayList<>();
    for (int i = 0; i < ARENAS; i++) {
      open.add(Arenas.ofConfined());
      open.getLast().allocate(GRANULE);
    }
    open.reversed().forEach(Arena::close);
  }

  /**
   * Bytes without a gap that one arena has. Only blocks leave no gap behind the first allocation:
   * malloc puts a header there.
   */
  private static int room() {
    try (Arena arena = Arenas.ofConfined()) {
      long start = arena.allocate(FIRST).address();
      int room = FIRST;
      while (arena.allocate(GRANULE).address() == start + room) {
        room += GRANULE;
      }
      return room;
    }
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
