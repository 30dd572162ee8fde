package dev.rockpool.arena;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Uses arenas until the stack ends, again and again, and fails if that does any harm. */
final class StackOverflowProbe {
  private static final int DESCENTS = 100;
  private static final long STACK_BYTE_SIZE = 256 << 10;

  private StackOverflowProbe() {}

  /** What one thread with a small stack went through. */
  private static final class Descents implements Runnable {
    int overflows;
    int lostSlabs;
    Throwable failure;

    @Override
    public void run() {
      try {
        for (int i = 0; i < DESCENTS; i++) {
          SlabTable table = SlabTable.of(64, 64, 0);
          toTheEnd(table, i);
          table.registry().checkInvariants();
          lostSlabs += table.registry().owned();
          useNested(table, 70, 0);
          table.registry().checkInvariants();
        }
      } catch (Throwable unexpected) {
        failure = unexpected;
      }
    }

    /** Starts a little deeper for each {@code offset}, so that the stack ends elsewhere. */
    private void toTheEnd(SlabTable table, int offset) {
      if (offset > 0) {
        toTheEnd(table, offset - 1);
      } else {
        try {
          descend(table);
        } catch (StackOverflowError end) {
          overflows++;
        }
      }
    }

    /** Uses arenas in each frame, of which the last ones get less and less far with it. */
    private void descend(SlabTable table) {
      try {
        useNested(table, 3, 0);
      } catch (StackOverflowError end) {
        overflows++;
      }
      descend(table);
    }
  }

  /** Nests arenas; each has to find its memory zero, and in the end as it wrote it. */
  private static void useNested(SlabTable table, int depth, long mark) {
    if (depth == 0) {
      return;
    }
    try (Arena arena = table.open()) {
      MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG);
      expect(memory, 0);
      memory.set(ValueLayout.JAVA_LONG, 0, ~mark);
      useNested(table, depth - 1, mark + 1);
      expect(memory, ~mark);
    }
  }

  private static void expect(MemorySegment memory, long expected) {
    long found = memory.get(ValueLayout.JAVA_LONG, 0);
    if (found != expected) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }

  public static void main(String[] args) throws Exception {
    // A class that is initialized at the end of the stack stays broken: so have them all before.
    useNested(SlabTable.of(64, 2, 0), 5, 0);

    Descents descents = new Descents();
    Thread thread = new Thread(null, descents, "small stack", STACK_BYTE_SIZE);
    thread.start();
    thread.join();

    System.out.println("overflows=" + descents.overflows);
    System.out.println("lost slabs=" + descents.lostSlabs);
    if (descents.failure != null) {
      throw new AssertionError(descents.failure);
    }
  }
}
