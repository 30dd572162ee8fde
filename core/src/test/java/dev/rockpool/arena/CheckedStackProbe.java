package dev.rockpool.arena;

import dev.rockpool.child.StackEnd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Uses and closes checked arenas where a stack ends, each time a frame further from its end, until
 * that goes well. Blocks may be lost; fails if intact memory is found damaged, or if what is handed
 * out is not zero.
 */
public final class CheckedStackProbe {
  private static final int FILLS = 12;

  /** A quarantine so small that each close verifies and frees what others closed. */
  private static final Quarantine QUARANTINE = new Quarantine(1 << 20, 3);

  private static final MemorySegment ZEROES = MemorySegment.ofArray(new byte[400]);

  private CheckedStackProbe() {}

  private static void use(Arena arena) {
    for (int byteSize = 0; byteSize < 400; byteSize += 99) {
      MemorySegment memory = arena.allocate(byteSize, 32);
      if (byteSize > 0 && memory.mismatch(ZEROES.asSlice(0, byteSize)) != -1) {
        throw new AssertionError("not zero: " + memory);
      }
      memory.fill((byte) 1);
    }
  }

  private static void run() throws Throwable {
    try (Arena arena = new CheckedArena(QUARANTINE)) {
      use(arena); // a class that is initialized at the end of the stack stays broken
    }
    int overflows = 0;
    for (int fill = 0; fill < FILLS; fill++) {
      Arena arena = new CheckedArena(QUARANTINE);
      overflows += StackEnd.reach(() -> use(arena), fill);
      overflows += StackEnd.close(arena, fill);
    }
    QUARANTINE.verifyAll();
    System.out.println("overflows=" + overflows);
    System.out.println("found=" + (QUARANTINE.overruns() + QUARANTINE.lateWrites()));
  }

  public static void main(String[] args) throws InterruptedException {
    if (Boolean.parseBoolean(args[0])) {
      StackEnd.onVirtualThread(CheckedStackProbe::run);
    } else {
      StackEnd.onSmallStack(CheckedStackProbe::run);
    }
  }
}
