package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * The housekeeper frees what an ended thread left, while a new thread takes it over.
 *
 * <p>The hole: the new thread gets freed memory, or nobody frees it. Hardware reaches it wherever
 * finding an orphan and removing it are two steps.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=OrphanSweep}
 */
public final class OrphanSweep {
  private static final String ADOPTED = "adopted";
  private static final String NEW = "new";

  private OrphanSweep() {}

  @Outcome(
      id = "adopted, once",
      expect = ACCEPTABLE,
      desc = "The new thread was first, and what it has is not freed.")
  @Outcome(
      id = "new, once",
      expect = ACCEPTABLE,
      desc = "The housekeeper was first, and the new thread gets new memory.")
  @Outcome(expect = FORBIDDEN, desc = "Adopted and freed, or neither.")
  static final class Promise {}

  /** One lock around finding and removing. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private boolean orphan = true;
    private int adopted;
    private int freed;

    @Actor
    public synchronized void newThread(LL_Result r) {
      if (orphan) {
        orphan = false;
        adopted++;
      }
      r.r1 = adopted == 0 ? NEW : ADOPTED;
    }

    @Actor
    public synchronized void housekeeper() {
      if (orphan) {
        orphan = false;
        freed++;
      }
    }

    @Arbiter
    public void count(LL_Result r) {
      r.r2 = Threads.times(adopted + freed);
    }
  }

  /** {@link SlabRegistry#slabsOf} and {@link SlabRegistry#sweep}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final SlabRegistry registry = new SlabRegistry(Words.BYTE_SIZE, 1);

    public Real() {
      Threads.leaveServedOnce(registry);
    }

    @Actor
    public void newThread(LL_Result r) {
      ThreadSlabs slabs = registry.slabsOf(Threads.ALIVE);
      if (slabs == null) {
        r.r1 = "no memory";
        return;
      }
      r.r1 = slabs.served == 0 ? NEW : ADOPTED;
      int run = slabs.acquire(1);
      Words.findAndWrite(slabs.address(run));
      Words.zero(slabs.address(run));
      slabs.release(run, 0);
    }

    @Actor
    public void housekeeper() {
      registry.sweep();
    }

    /** The ended thread's counts are counted with the living, and with the freed. */
    @Arbiter
    public void count(LL_Result r) {
      registry.checkInvariants();
      r.r2 = Threads.times(registry.counts().served);
      registry.freeAll();
    }
  }

  /** The same without a lock. */
  @JCStressTest
  @Outcome(
      id = {"adopted, once", "new, once"},
      expect = ACCEPTABLE,
      desc = "One was late enough to find nothing left.")
  @Outcome(
      id = "adopted, twice",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Both found it before either had removed it: what was adopted is freed.")
  @State
  public static class Weakened {
    private volatile boolean orphan = true;
    private int adopted;
    private int freed;

    @Actor
    public void newThread(LL_Result r) {
      if (orphan) {
        orphan = false;
        adopted++;
      }
      r.r1 = adopted == 0 ? NEW : ADOPTED;
    }

    @Actor
    public void housekeeper() {
      if (orphan) {
        orphan = false;
        freed++;
      }
    }

    @Arbiter
    public void count(LL_Result r) {
      r.r2 = Threads.times(adopted + freed);
    }
  }
}
