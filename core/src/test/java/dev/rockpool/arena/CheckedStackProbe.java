package dev.rockpool.arena;

import dev.rockpool.child.StackEnd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Opens, uses and closes checked arenas where a stack ends, each time a frame further from its end,
 * until that goes well. It may cost memory; fails if intact memory is found damaged, or if what is
 * handed out is not zero.
 */
final class CheckedStackProbe {
  private static final int FILLS = 12;

  /** So few that each close verifies and frees what others closed. */
  private static final int KEPT = 3;

  private final Quarantine quarantine = new Quarantine(1 << 20, KEPT);
  private final MemorySegment zeroes = MemorySegment.ofArray(new byte[400]);
  private int overflows;

  private Arena open() {
    return new CheckedArena(quarantine);
  }

  private void use(Arena arena) {
    for (int byteSize = 0; byteSize < 400; byteSize += 99) {
      MemorySegment memory = arena.allocate(byteSize, 32);
      if (byteSize > 0 && memory.mismatch(zeroes.asSlice(0, byteSize)) != -1) {
        throw new AssertionError("not zero: " + memory);
      }
      memory.fill((byte) 1);
    }
  }

  private void openAndCloseAtTheEnd(int fill) throws Throwable {
    overflows +=
        StackEnd.reach(
            () -> {
              try (Arena arena = open()) {
                use(arena);
              }
            },
            fill);
  }

  private void closeAtTheEnd(int fill) throws Throwable {
    Arena arena = open();
    use(arena);
    overflows += StackEnd.close(arena, fill);
  }

  private void run() throws Throwable {
    openAndCloseAtTheEnd(0);
    for (int fill = 0; fill < FILLS; fill++) {
      openAndCloseAtTheEnd(fill);
      closeAtTheEnd(fill);
    }
    quarantine.verifyAll();
    System.out.println("overflows=" + overflows);
    System.out.println("found=" + (quarantine.overruns() + quarantine.lateWrites()));
  }

  /** A class that is initialized at the end of the stack stays broken: so have them all before. */
  private static void initializeAndRun() throws Throwable {
    CheckedStackProbe probe = new CheckedStackProbe();
    for (int i = 0; i <= KEPT; i++) {
      try (Arena arena = probe.open()) {
        probe.use(arena);
      }
    }
    probe.run();
  }

  public static void main(String[] args) throws InterruptedException {
    if (Boolean.parseBoolean(args[0])) {
      StackEnd.onVirtualThread(CheckedStackProbe::initializeAndRun);
    } else {
      StackEnd.onSmallStack(CheckedStackProbe::initializeAndRun);
    }
  }
}
