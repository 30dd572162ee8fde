package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Uses a pool of large blocks where the system has hardly any memory. */
final class OutOfMemoryProbe {
  private static final ArenaPool LARGE = ArenaPool.builder().blockByteSize(1 << 20).build();

  private static final long BLOCK = 32 << 20;

  private OutOfMemoryProbe() {}

  public static void main(String[] args) {
    hasNeighbours(Arenas.ofConfined()); // then the thread keeps a block
    useUpAddressSpace();
    System.out.println("zero and writable=" + isUsable());
    System.out.println("JDK=" + tooMuch(Arena.ofConfined()));
    System.out.println("ours=" + tooMuch(LARGE.take()));
    System.out.println("still=" + isUsable());
    System.out.println("neighbours in the shared pool=" + hasNeighbours(Arenas.ofConfined()));
  }

  /** All but what the JVM itself may need. */
  private static void useUpAddressSpace() {
    Arena spare = Arena.ofConfined();
    spare.allocate(BLOCK);
    try {
      while (true) {
        Arena.global().allocate(BLOCK);
      }
    } catch (OutOfMemoryError full) {
      spare.close();
    }
  }

  private static boolean isUsable() {
    for (int i = 0; i < 100; i++) {
      try (Arena arena = LARGE.take()) {
        MemorySegment memory = arena.allocate(1000);
        for (long offset = 0; offset < 1000; offset++) {
          if (memory.get(ValueLayout.JAVA_BYTE, offset) != 0) {
            return false;
          }
        }
        memory.fill((byte) -1);
        if (memory.get(ValueLayout.JAVA_BYTE, 999) != -1) {
          return false;
        }
      }
    }
    return true;
  }

  private static String tooMuch(Arena arena) {
    try (arena) {
      return "allocated " + arena.allocate(64 << 20);
    } catch (OutOfMemoryError refused) {
      return refused.toString();
    }
  }

  /**
   * Whether two allocations have no gap between them, as in a block. Asks for more than the 64
   * bytes that arenas of JDK 28 have of their own.
   */
  private static boolean hasNeighbours(Arena arena) {
    try (arena) {
      return arena.allocate(80).address() + 80 == arena.allocate(80).address();
    }
  }
}
