package dev.rockpool.arena;

import static dev.rockpool.stress.Interleavings.check;
import static dev.rockpool.stress.Interleavings.checkBreaks;
import static dev.rockpool.stress.Interleavings.checkModel;
import static dev.rockpool.stress.Interleavings.race;

import dev.rockpool.arena.ThreadSlabs.Run;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * {@link ThreadSlabs} in all orders of steps: the thread itself acquires and releases, while slabs
 * that it handed out before come back from elsewhere.
 */
class ThreadSlabsOrdersTest {
  private static final String TWO_OWNERS = "one slab, two owners";
  private static final String LOST = "slabs left";
  private static final String TWICE = "released by";

  private static final int COUNT = 2;

  /** Slabs as arenas see them. Runs are those of {@link Run}. */
  private interface Slabs {
    int acquire();

    void release(int run);

    void releaseFromElsewhere(int run);

    /** For a new thread, after the one that these slabs are of has ended. */
    Slabs pass();

    /** Checks what holds while no thread is at work, with all slabs owned, and frees them. */
    void end();
  }

  private record Real(ThreadSlabs slabs) implements Slabs {
    Real() {
      this(Threads.slabs(Threads.ENDED, COUNT));
    }

    @Override
    public int acquire() {
      return slabs.acquireOne();
    }

    @Override
    public void release(int run) {
      slabs.release(run, 1);
    }

    @Override
    public void releaseFromElsewhere(int run) {
      slabs.releaseFromElsewhere(run);
    }

    @Override
    public Slabs pass() {
      return new Real(slabs.passTo(Threads.ENDED));
    }

    @Override
    public void end() {
      slabs.checkInvariants();
      slabs.release(Run.of(0, COUNT), 1);
      slabs.checkInvariants();
      if (!slabs.freeIfUnowned()) {
        throw new AssertionError("not freed, though nobody owns it");
      }
    }
  }

  /** The protocol in a few lines, without memory. */
  private static class Model implements Slabs {
    long taken;
    final AtomicLong returned;

    Model() {
      this(0, new AtomicLong());
    }

    Model(long taken, AtomicLong returned) {
      this.taken = taken;
      this.returned = returned;
    }

    @Override
    public int acquire() {
      collect();
      for (int i = 0; i < COUNT; i++) {
        if ((taken & 1L << i) == 0) {
          taken |= 1L << i;
          return Run.of(i, 1);
        }
      }
      return Run.NONE;
    }

    void collect() {
      taken &= ~returned.getAndSet(0);
    }

    @Override
    public void release(int run) {
      taken &= ~Run.bits(run);
    }

    @Override
    public void releaseFromElsewhere(int run) {
      long before;
      do {
        before = returned.get();
        if ((before & Run.bits(run)) != 0) {
          throw new IllegalStateException();
        }
      } while (!returned.compareAndSet(before, before | Run.bits(run)));
    }

    @Override
    public Slabs pass() {
      return new Model(taken, returned);
    }

    @Override
    public void end() {}
  }

  /** Both slabs come back from elsewhere, while the thread itself wants one and releases it. */
  private static void returns(Slabs slabs) {
    int first = slabs.acquire();
    int second = slabs.acquire();
    AtomicIntegerArray owners = new AtomicIntegerArray(new int[] {1, 1});
    race(
        () -> use(slabs, owners),
        () -> giveBack(slabs, first, owners),
        () -> giveBack(slabs, second, owners));
    acquireAll(slabs, owners);
    slabs.end();
  }

  /** One slab comes back from elsewhere, while the thread itself releases the other one. */
  private static void releases(Slabs slabs) {
    int first = slabs.acquire();
    int second = slabs.acquire();
    AtomicIntegerArray owners = new AtomicIntegerArray(new int[] {1, 1});
    race(
        () -> {
          owners.decrementAndGet(Run.first(first));
          slabs.release(first);
          use(slabs, owners);
        },
        () -> giveBack(slabs, second, owners));
    acquireAll(slabs, owners);
    slabs.end();
  }

  /** One slab comes back from elsewhere, while a new thread takes all over and wants one. */
  private static void inherits(Slabs slabs) {
    int first = slabs.acquire();
    int second = slabs.acquire();
    AtomicIntegerArray owners = new AtomicIntegerArray(new int[] {1, 1});
    Slabs[] heirs = new Slabs[1];
    race(
        () -> {
          heirs[0] = slabs.pass();
          use(heirs[0], owners);
        },
        () -> giveBack(slabs, first, owners));
    giveBack(slabs, second, owners);
    acquireAll(heirs[0], owners);
    heirs[0].end();
  }

  /** Two return the same slab: one of them hears that it did not own it. */
  private static void returnsTwice(Slabs slabs) {
    int first = slabs.acquire();
    AtomicInteger released = new AtomicInteger();
    Runnable part =
        () -> {
          try {
            slabs.releaseFromElsewhere(first);
            released.incrementAndGet();
          } catch (IllegalStateException notOwned) {
            // As it should be, for one of the two.
          }
        };
    race(part, part);
    if (released.get() != 1) {
      throw new AssertionError(TWICE + " " + released);
    }
    acquireAll(slabs, new AtomicIntegerArray(COUNT));
    slabs.end();
  }

  private static void use(Slabs slabs, AtomicIntegerArray owners) {
    int run = slabs.acquire();
    if (run != Run.NONE) {
      own(run, owners);
      owners.decrementAndGet(Run.first(run));
      slabs.release(run);
    }
  }

  private static void own(int run, AtomicIntegerArray owners) {
    if (owners.incrementAndGet(Run.first(run)) != 1) {
      throw new AssertionError(TWO_OWNERS);
    }
  }

  private static void giveBack(Slabs slabs, int run, AtomicIntegerArray owners) {
    owners.decrementAndGet(Run.first(run));
    slabs.releaseFromElsewhere(run);
  }

  private static void acquireAll(Slabs slabs, AtomicIntegerArray owners) {
    int acquired = 0;
    for (int run = slabs.acquire(); run != Run.NONE; run = slabs.acquire()) {
      own(run, owners);
      acquired++;
    }
    if (acquired != COUNT) {
      throw new AssertionError(LOST + ": " + acquired);
    }
  }

  @Test
  void realCollectsWhatIsReturned() {
    check(() -> returns(new Real()));
  }

  @Test
  void realReleasesWhileOthersReturn() {
    check(() -> releases(new Real()));
  }

  @Test
  void realIsInherited() {
    check(() -> inherits(new Real()));
  }

  @Test
  void realIsReturnedOnce() {
    check(() -> returnsTwice(new Real()));
  }

  @Test
  void model() {
    checkModel(() -> returns(new Model()));
    checkModel(() -> releases(new Model()));
    checkModel(() -> inherits(new Model()));
    checkModel(() -> returnsTwice(new Model()));
  }

  @Test
  void weakenedWhereCollectingReadsAndThenClears() {
    class Weakened extends Model {
      @Override
      void collect() {
        taken &= ~returned.get();
        returned.set(0);
      }
    }
    checkBreaks(LOST, () -> returns(new Weakened()));
  }

  @Test
  void weakenedWhereOthersReleaseAsTheThreadItself() {
    class Weakened extends Model {
      @Override
      public void releaseFromElsewhere(int run) {
        release(run);
      }
    }
    checkBreaks(LOST, () -> releases(new Weakened()));
  }

  @Test
  void weakenedWhereTheHeirHasAWordOfItsOwn() {
    class Weakened extends Model {
      @Override
      public Slabs pass() {
        return new Model(taken, new AtomicLong(returned.get()));
      }
    }
    checkBreaks(LOST, () -> inherits(new Weakened()));
  }

  @Test
  void weakenedWhereAReturnIsALookAndAStore() {
    class Weakened extends Model {
      @Override
      public void releaseFromElsewhere(int run) {
        if ((returned.get() & Run.bits(run)) != 0) {
          throw new IllegalStateException();
        }
        returned.set(returned.get() | Run.bits(run));
      }
    }
    checkBreaks(TWICE, () -> returnsTwice(new Weakened()));
  }
}
