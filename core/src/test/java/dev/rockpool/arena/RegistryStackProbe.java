package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
import dev.rockpool.child.StackEnd;

/**
 * Asks a registry for slabs close to the end of a stack, at each depth once, and fails if what it
 * has in its lists afterwards is not sound, or two threads get the same slabs.
 */
final class RegistryStackProbe {
  /** Depths tried, and how many of them are beyond the last that went well. */
  private static final int DEPTHS = 500;

  private static final int BEYOND = 60;

  /** Frames of the second size for each of the first: they move the end by less than a frame. */
  private static final int FILLS = 6;

  private final Thread alive = Thread.currentThread();
  private SlabRegistry registry = new SlabRegistry(64, 1);
  private int overflows;

  private int descend(int depth) {
    if (depth == 0) {
      registry.slabsOf(alive);
      return 0;
    }
    return descend(depth - 1) + 1;
  }

  private long descendWide(int fill, int depth, long a, long b, long c) {
    return fill == 0 ? descend(depth) + a + b + c : descendWide(fill - 1, depth, a, b, c) + 1;
  }

  private boolean goesWell(int fill, int depth) {
    try {
      return descendWide(fill, depth, 0, 0, 0) >= 0;
    } catch (StackOverflowError end) {
      return false;
    }
  }

  private int deepestThatGoesWell() {
    int well = 0;
    int not = 100_000;
    while (well + 1 < not) {
      int middle = (well + not) / 2;
      registry = new SlabRegistry(64, 1);
      if (goesWell(0, middle)) {
        well = middle;
      } else {
        not = middle;
      }
    }
    return well;
  }

  private void tryAll(boolean afterAnEndedThread) {
    int deepest = deepestThatGoesWell();
    for (int fill = 0; fill < FILLS; fill++) {
      for (int i = 0; i < DEPTHS; i++) {
        registry = new SlabRegistry(64, 1);
        if (afterAnEndedThread) {
          registry.slabsOf(new Thread());
        }
        overflows += goesWell(fill, deepest + BEYOND - 2 * fill - i) ? 0 : 1;
        check();
      }
    }
  }

  private void check() {
    registry.checkInvariants();
    Thread other = new Thread();
    ThreadSlabs mine = registry.slabsOf(alive);
    ThreadSlabs theirs = registry.slabsOf(other);
    if (mine.address(Run.of(0, 1)) == theirs.address(Run.of(0, 1))) {
      throw new AssertionError("two threads have the same slabs");
    }
    registry.checkInvariants();
    registry.freeAll();
  }

  public static void main(String[] args) throws InterruptedException {
    StackEnd.onSmallStack(
        () -> {
          RegistryStackProbe probe = new RegistryStackProbe();
          probe.check(); // has all classes initialized where there is stack
          probe.tryAll(true);
          probe.tryAll(false);
          System.out.println("overflows=" + probe.overflows);
        });
  }
}
