package dev.rockpool.arena;

import dev.rockpool.child.HeapEnd;
import java.lang.foreign.Arena;

/**
 * Closes arenas where the heap ends. All of that goes well: what a close needs it has already, or
 * it would lose what it was to give back.
 */
public final class CloseProbe {
  private CloseProbe() {}

  /** Closing gives everything back in the end. */
  private abstract static class Closing implements HeapEnd.Attempt {
    private Arena arena = Arena.global();

    abstract Arena open();

    @Override
    public void prepare() {
      arena = open();
    }

    @Override
    public boolean run() {
      arena.close();
      return true;
    }
  }

  /** Arenas with a slab, with several, or with a larger one. */
  private static final class Pooled extends Closing {
    private static final Pool POOL = Pool.Shared.POOL;

    private final long byteSize;

    Pooled(long byteSize) {
      this.byteSize = byteSize;
    }

    @Override
    Arena open() {
      Arena arena = POOL.open();
      arena.allocate(byteSize).fill((byte) 1);
      return arena;
    }

    @Override
    public void check() {
      if (POOL.owned() != 0) {
        throw new AssertionError("still owned: " + POOL.owned());
      }
      POOL.checkInvariants();
    }
  }

  /**
   * With as many blocks as are kept aside, so that those of the last one are verified, and freed.
   */
  private static final class Checked extends Closing {
    private static final int BLOCKS = 10;

    private final Quarantine quarantine = new Quarantine(1 << 20, BLOCKS);

    @Override
    Arena open() {
      Arena arena = new CheckedArena(quarantine);
      for (int i = 0; i < BLOCKS; i++) {
        arena.allocate(1 << i).fill((byte) 1);
      }
      return arena;
    }

    @Override
    public void check() {
      if (quarantine.blocks() != BLOCKS || quarantine.overruns() + quarantine.lateWrites() != 0) {
        throw new AssertionError("kept aside: " + quarantine.blocks());
      }
    }
  }

  public static void main(String[] args) throws Throwable {
    if (CheckedArena.stateOfThisJvm() != PoolStatistics.State.CHECKED) {
      throw new AssertionError("not checked");
    }
    System.out.println("slab=" + HeapEnd.reach(new Pooled(100)));
    System.out.println("most of a slab=" + HeapEnd.reach(new Pooled(500)));
    System.out.println("run=" + HeapEnd.reach(new Pooled(1500)));
    System.out.println("larger slab=" + HeapEnd.reach(new Pooled(8000)));
    System.out.println("checked=" + HeapEnd.reach(new Checked()));
  }
}
