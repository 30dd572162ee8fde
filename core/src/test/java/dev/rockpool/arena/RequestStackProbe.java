package dev.rockpool.arena;

import static java.util.Objects.requireNonNull;

import dev.rockpool.child.StackEnd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks arenas for memory where a stack ends, each time a frame further from its end, until there is
 * enough of it. Fails if an arena hands out what is not zero, or what it or another one has handed
 * out before, and if slabs are lost.
 */
final class RequestStackProbe {
  /** The requests to one arena, one after the other: a slab, a run, a larger slab, none. */
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

  /** Bytes of structs: one slab, several, a larger one. */
  private static final int[] CALLS = {16, 1_000, 5_000};

  private static final int FILLS = 12;

  /** All that arenas have handed out, each with a mark of its own in all of its bytes. */
  private final List<MemorySegment> handedOut = new ArrayList<>();

  private int overflows;
  private int abandoned;
  private @Nullable MemorySegment found;
  private @Nullable Arena opened;

  private MemorySegment allocateAtTheEnd(Arena arena, int byteSize, int fill) throws Throwable {
    overflows += StackEnd.reach(() -> found = arena.allocate(byteSize, 1), fill);
    return requireNonNull(found);
  }

  private Arena openAtTheEnd(Pool pool, int fill) throws Throwable {
    overflows += StackEnd.reach(() -> opened = pool.open(), fill);
    return requireNonNull(opened);
  }

  /** Another arena may own what is behind the first's slab, so that its run can't be extended. */
  private void use(List<Integer> requests, boolean besideAnother, int firstArenas, int fill)
      throws Throwable {
    Pool pool = Pool.of(64, 8, 16, firstArenas);
    takeOneOfEach(pool); // looks for those of the thread, which goes deeper than what follows
    handedOut.clear();
    Arena first = openAtTheEnd(pool, fill);
    try (Arena other = openAtTheEnd(pool, fill)) {
      for (int byteSize : requests) {
        mark(allocateAtTheEnd(first, byteSize, fill));
        if (besideAnother) {
          mark(allocateAtTheEnd(other, 8, fill));
        }
      }
      checkMarks();
      overflows += StackEnd.close(first, fill);
    }
    pool.checkInvariants();
    expectNoSlotLost(pool);
    expectNoRunLost(pool);
  }

  /** As below, for the slabs of the thread or its carrier. */
  private void expectNoRunLost(Pool pool) {
    SlabRegistry registry = pool.registry();
    abandoned += registry.owned();
    registry.returnAbandoned();
    registry.returnAbandoned();
    if (registry.owned() != 0) {
      throw new AssertionError("lost slabs: " + registry.owned());
    }
    registry.checkInvariants();
  }

  /** Slots whose arena could not give them back are abandoned, and free after two looks. */
  private void expectNoSlotLost(Pool pool) {
    for (SharedSlabs slots : List.of(pool.shared(), pool.young(), pool.larger())) {
      abandoned += slots.owned();
      slots.trim();
      slots.trim();
      if (slots.owned() != 0) {
        throw new AssertionError("lost slots: " + slots.owned() + " of " + slots.slabByteSize());
      }
    }
  }

  /**
   * Closes the arenas of native calls, which the linker does once. A close that is cut off abandons
   * the slabs; they are returned once the arena is closed, or unreachable.
   */
  private void closeCall(int byteSize, int fill) throws Throwable {
    Pool pool = CallArenas.POOL;
    if (!closeCallAtTheEnd(CallArenas.open(byteSize), byteSize, fill)) {
      return; // the carrier can't be reached, or arenas are checked
    }
    abandoned += pool.owned();
    Collected.await(
        "slabs of a call",
        () -> {
          pool.registry().returnAbandoned();
          pool.larger().trim();
          return pool.owned() == 0;
        });
    pool.checkInvariants();
  }

  private boolean closeCallAtTheEnd(@Nullable Arena arena, int byteSize, int fill)
      throws Throwable {
    if (arena == null) {
      return false;
    }
    mark(arena.allocate(byteSize, 1));
    overflows +=
        StackEnd.reach(
            () -> {
              if (!hasAbandoned(CallArenas.POOL)) {
                arena.close();
              }
            },
            fill);
    handedOut.clear();
    return true;
  }

  private static boolean hasAbandoned(Pool pool) {
    boolean[] found = new boolean[1];
    pool.registry().forEach(slabs -> found[0] |= hasAny(slabs.abandonedBy));
    return found[0] || hasAny(pool.larger().abandonedBy());
  }

  private static boolean hasAny(@Nullable Object[] abandonedBy) {
    for (Object by : abandonedBy) {
      if (by != null) {
        return true;
      }
    }
    return false;
  }

  private static void takeOneOfEach(Pool pool) {
    try (Arena arena = pool.open()) {
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

  /**
   * By operations on all bytes at once: interpreted, a loop over them would take most of the time.
   */
  private static void replace(MemorySegment memory, byte expected, byte mark) {
    long last = memory.byteSize() - 1;
    byte first = memory.get(ValueLayout.JAVA_BYTE, 0);
    long other = memory.asSlice(0, last).mismatch(memory.asSlice(1));
    if (first != expected || other != -1) {
      throw new AssertionError(
          "expected "
              + expected
              + ", found "
              + first
              + ", and others from "
              + other
              + " of "
              + memory);
    }
    memory.fill(mark);
  }

  private void run() throws Throwable {
    for (int fill = 0; fill < FILLS; fill++) {
      for (List<Integer> requests : REQUESTS) {
        use(requests, false, 0, fill);
        use(requests, true, 0, fill);
        use(requests, false, 1000, fill);
      }
      handedOut.clear();
      for (int byteSize : CALLS) {
        closeCall(byteSize, fill);
      }
    }
  }

  /** A class that is initialized at the end of the stack stays broken: so have them all before. */
  private static void initializeAll() {
    RequestStackProbe probe = new RequestStackProbe();
    for (List<Integer> requests : REQUESTS) {
      Pool pool = Pool.of(64, 8, 16);
      try (Arena arena = pool.open()) {
        for (int byteSize : requests) {
          probe.mark(arena.allocate(byteSize, 1));
        }
      }
      pool.checkInvariants();
    }
  }

  private static void initializeAndRun() throws Throwable {
    initializeAll();
    RequestStackProbe probe = new RequestStackProbe();
    probe.run();
    System.out.println("overflows=" + probe.overflows);
    System.out.println("abandoned=" + probe.abandoned);
  }

  public static void main(String[] args) throws InterruptedException {
    if (Boolean.parseBoolean(args[0])) {
      StackEnd.onVirtualThread(RequestStackProbe::initializeAndRun);
    } else {
      StackEnd.onSmallStack(RequestStackProbe::initializeAndRun);
    }
  }
}
