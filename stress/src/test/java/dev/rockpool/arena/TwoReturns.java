package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two virtual threads, both carried elsewhere meanwhile, give back a slab each; then the heir of
 * their first carrier counts.
 *
 * <p>The hole: one return hides the other. Hardware reaches it wherever setting a bit is not
 * atomic.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=TwoReturns}
 */
public final class TwoReturns {
  private static final int SLABS = 2;

  private TwoReturns() {}

  @Outcome(id = "2", expect = ACCEPTABLE, desc = "Both slabs are back.")
  @Outcome(expect = FORBIDDEN, desc = "A slab is lost, or there twice.")
  static final class Promise {}

  /** A bit for each slab, set by CAS. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong returned = new AtomicLong();

    @Actor
    public void first() {
      giveBack(1);
    }

    @Actor
    public void second() {
      giveBack(2);
    }

    private void giveBack(long bit) {
      long before;
      do {
        before = returned.get();
      } while (!returned.compareAndSet(before, before | bit));
    }

    @Arbiter
    public void heir(I_Result r) {
      r.r1 = Long.bitCount(returned.get());
    }
  }

  /** {@link ThreadSlabs#releaseFromElsewhere}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final ThreadSlabs left = Threads.slabs(Threads.ENDED, SLABS);
    private final int one = left.acquire(1);
    private final int other = left.acquire(1);

    @Actor
    public void first() {
      left.releaseFromElsewhere(one);
    }

    @Actor
    public void second() {
      left.releaseFromElsewhere(other);
    }

    @Arbiter
    public void heir(I_Result r) {
      ThreadSlabs heirs = left.passTo(Threads.ALIVE);
      heirs.checkInvariants();
      r.r1 = Threads.acquireAll(heirs);
      Threads.free(heirs);
    }
  }

  /** A bit for each slab, set in two steps. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "One late enough after the other.")
  @Outcome(
      id = "1",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Both read before either had written: one slab is lost.")
  @State
  public static class Weakened {
    private volatile long returned;

    @Actor
    public void first() {
      giveBack(1);
    }

    @Actor
    public void second() {
      giveBack(2);
    }

    private void giveBack(long bit) {
      long before = returned;
      Threads.letOthersComeBetween();
      returned = before | bit;
    }

    @Arbiter
    public void heir(I_Result r) {
      r.r1 = Long.bitCount(returned);
    }
  }
}
