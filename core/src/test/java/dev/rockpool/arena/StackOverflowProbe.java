package dev.rockpool.arena;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Uses arenas until the stack ends, again and again, and fails if that does any harm. */
final class StackOverflowProbe {
  private static final int DESCENTS = 100;
  private static final long STACK_BYTE_SIZE = 256 << 10;

  private StackOverflowProbe() {}

  /** The descents of one thread with a small stack, and their findings. */
  private static final class Descents implements Runnable {
    int overflows;
    int lostSlabs;
    Throwable failure;

    @Override
    public void run() {
      try {
        for (int i = 0; i < DESCENTS; i++) {
          Pool pool = Pool.of(64, 64, 0);
          toTheEnd(pool, i);
          pool.registry().checkInvariants();
          lostSlabs += pool.registry().owned();
          useNested(pool, 70, 0);
          pool.registry().checkInvariants();
        }
      } catch (Throwable unexpected) {
        failure = unexpected;
      }
    }

    /** Starts a little deeper for each {@code offset}, so that the stack ends elsewhere. */
    private void toTheEnd(Pool pool, int offset) {
      if (offset > 0) {
        toTheEnd(pool, offset - 1);
      } else {
        try {
          descend(pool);
        } catch (StackOverflowError end) {
          overflows++;
        }
      }
    }

    /** Uses arenas in each frame, of which the last ones get less and less far with it. */
    private void descend(Pool pool) {
      try {
        useNested(pool, 3, 0);
      } catch (StackOverflowError end) {
        overflows++;
      }
      descend(pool);
    }
  }

  /** Nests arenas; each has to find its memory zero, and in the end as it wrote it. */
  private static void useNested(Pool pool, int depth, long mark) {
    if (depth == 0) {
      return;
    }
    try (Arena arena = pool.open()) {
      MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG);
      expect(memory, 0);
      memory.set(ValueLayout.JAVA_LONG, 0, ~mark);
      useNested(pool, depth - 1, mark + 1);
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
    useNested(Pool.of(64, 2, 0), 5, 0);

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
