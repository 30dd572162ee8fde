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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two threads claim the one shared slot, and keep it.
 *
 * <p>The hole: both find it free, and both have it. Hardware reaches it wherever the look and the
 * store are two steps.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=SlotClaim}
 */
public final class SlotClaim {
  private static final long FREE = 0;
  private static final long OWNED = 1;

  private SlotClaim() {}

  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "One has the slot, the other is told that there is none.")
  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "One slot in two hands.")
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "A free slot that nobody gets.")
  static final class Promise {}

  /** A slot that is claimed by CAS. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong claim = new AtomicLong();

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = claim.compareAndSet(FREE, OWNED);
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = claim.compareAndSet(FREE, OWNED);
    }
  }

  /** {@link SharedSlabs#acquire}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final SharedSlabs slabs = SharedSlabs.of(Words.BYTE_SIZE, 1);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = slabs.acquire(1) != SharedSlabs.NONE;
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = slabs.acquire(2) != SharedSlabs.NONE;
    }

    @Arbiter
    public void free() {
      slabs.checkInvariants();
      if (slabs.owned() != 0) {
        slabs.release(0, 0);
      }
      slabs.freeAll();
    }
  }

  /** Looks first, and sets then. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "One was late enough to find the slot owned.")
  @Outcome(
      id = "true, true",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Both looked before either had set: one slot in two hands.")
  @State
  public static class Weakened {
    private volatile long claim;

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = claim();
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = claim();
    }

    private boolean claim() {
      if (claim != FREE) {
        return false;
      }
      claim = OWNED;
      return true;
    }
  }
}
