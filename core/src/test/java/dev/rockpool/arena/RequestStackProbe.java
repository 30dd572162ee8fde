package dev.rockpool.arena;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks arenas for memory where a stack ends, each time a frame further from its end, until there is
 * enough of it. An arena may lose slabs by that; fails if it hands out what is not zero, or what it
 * or another one has handed out before.
 */
final class RequestStackProbe {
  private static final long STACK_BYTE_SIZE = 200 << 10;

  /** What one arena is asked for, one after the other: a slab, a run, a larger slab, none. */
  private static final List<List<Integer>> REQUESTS =
      List.of(
          List.of(8),
          List.of(100),
          List.of(451),
          List.of(10_000),
          List.of(8, 50, 100),
          List.of(8, 100, 451, 5_000, 5_000),
          List.of(100, 1_000, 8),
          List.of(5_000, 8));

  /** Frames of another size before the descent: they move the end by less than a frame of it. */
  private static final int FILLS = 24;

  /** All that arenas have handed out, each with a mark of its own in all of its bytes. */
  private final List<MemorySegment> handedOut = new ArrayList<>();

  private int overflows;
  private @Nullable MemorySegment found;

  private MemorySegment allocateAtTheEnd(Arena arena, int byteSize, int fill) {
    found = null;
    descendWide(arena, byteSize, fill, 0, 0, 0);
    MemorySegment memory = found;
    if (memory == null) {
      throw new AssertionError("no memory although there is stack");
    }
    return memory;
  }

  private long descendWide(Arena arena, int byteSize, int fill, long a, long b, long c) {
    if (fill > 0) {
      return descendWide(arena, byteSize, fill - 1, a, b, c) + a + b + c;
    }
    descend(arena, byteSize);
    return 0;
  }

  private void descend(Arena arena, int byteSize) {
    try {
      descend(arena, byteSize);
    } catch (StackOverflowError end) {
      overflows++;
    }
    if (found == null) {
      try {
        found = arena.allocate(byteSize, 1);
      } catch (StackOverflowError end) {
        overflows++;
      }
    }
  }

  /** Another arena may own what is behind the first's slab, so that its run can't be extended. */
  private void use(List<Integer> requests, boolean besideAnother, int fill) {
    SlabTable table = SlabTable.of(64, 8, 16);
    takeOneOfEach(table); // looks for those of the thread, which goes deeper than what follows
    handedOut.clear();
    try (Arena first = table.open();
        Arena other = table.open()) {
      for (int byteSize : requests) {
        mark(allocateAtTheEnd(first, byteSize, fill));
        if (besideAnother) {
          mark(allocateAtTheEnd(other, 8, fill));
        }
      }
      checkMarks();
    }
    table.checkInvariants();
  }

  private static void takeOneOfEach(SlabTable table) {
    try (Arena arena = table.open()) {
      arena.allocate(8);
      arena.allocate(5_000);
    }
  }

  private void mark(MemorySegment memory) {
    handedOut.add(memory);
    replace(memory, (byte) 0, (byte) handedOut.size());
  }

  private void checkMarks() {
    for (int i = 0; i < handedOut.size(); i++) {
      replace(handedOut.get(i), (byte) (i + 1), (byte) -1);
    }
  }

  private static void replace(MemorySegment memory, byte expected, byte mark) {
    for (long offset = 0; offset < memory.byteSize(); offset++) {
      byte there = memory.get(ValueLayout.JAVA_BYTE, offset);
      if (there != expected) {
        throw new AssertionError(
            "expected " + expected + ", found " + there + " at " + offset + " of " + memory);
      }
      memory.set(ValueLayout.JAVA_BYTE, offset, mark);
    }
  }

  private void run() {
    for (int fill = 0; fill < FILLS; fill++) {
      for (List<Integer> requests : REQUESTS) {
        use(requests, false, fill);
        use(requests, true, fill);
      }
    }
  }

  /** A class that is initialized at the end of the stack stays broken: so have them all before. */
  private static void initializeAll() {
    RequestStackProbe probe = new RequestStackProbe();
    for (List<Integer> requests : REQUESTS) {
      SlabTable table = SlabTable.of(64, 8, 16);
      try (Arena arena = table.open()) {
        for (int byteSize : requests) {
          probe.mark(arena.allocate(byteSize, 1));
        }
      }
      table.checkInvariants();
    }
  }

  public static void main(String[] args) throws Exception {
    boolean isVirtual = Boolean.parseBoolean(args[0]);
    Throwable[] failure = new Throwable[1];
    Runnable work =
        () -> {
          initializeAll();
          RequestStackProbe probe = new RequestStackProbe();
          probe.run();
          System.out.println("overflows=" + probe.overflows);
        };
    Thread thread =
        isVirtual
            ? Thread.ofVirtual().unstarted(work)
            : new Thread(null, work, "small stack", STACK_BYTE_SIZE);
    thread.setUncaughtExceptionHandler((_, thrown) -> failure[0] = thrown);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
  }
}
