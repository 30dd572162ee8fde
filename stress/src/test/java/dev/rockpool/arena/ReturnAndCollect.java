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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A virtual thread gives back a slab of an ended carrier, while the heir collects another one that
 * was returned before.
 *
 * <p>The hole: collecting drops what came back in the middle of it. Hardware reaches it wherever
 * reading the word and clearing it are two steps.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=ReturnAndCollect}
 */
public final class ReturnAndCollect {
  private static final int SLABS = 2;
  private static final long ONE = 1;
  private static final long OTHER = 2;

  private ReturnAndCollect() {}

  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The other slab came back later.")
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "The other slab was back, too.")
  @Outcome(expect = FORBIDDEN, desc = "A slab is lost, or there twice.")
  static final class Promise {}

  /** Read and cleared in one step. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong returned = new AtomicLong(ONE);

    @Actor
    public void closing() {
      returned.getAndUpdate(before -> before | OTHER);
    }

    @Actor
    public void heir(II_Result r) {
      r.r1 = Long.bitCount(returned.getAndSet(0));
    }

    @Arbiter
    public void heirLater(II_Result r) {
      r.r2 = Long.bitCount(returned.getAndSet(0));
    }
  }

  /** {@link ThreadSlabs#acquire} and {@link ThreadSlabs#releaseFromElsewhere}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final ThreadSlabs left = Threads.slabs(Threads.ENDED, SLABS);
    private final int one = left.acquire(1);
    private final int other = left.acquire(1);
    private ThreadSlabs heirs = left;

    public Real() {
      left.releaseFromElsewhere(one);
    }

    @Actor
    public void closing() {
      left.releaseFromElsewhere(other);
    }

    @Actor
    public void heir(II_Result r) {
      heirs = left.passTo(Threads.ALIVE);
      r.r1 = Threads.acquireAll(heirs);
    }

    @Arbiter
    public void heirLater(II_Result r) {
      r.r2 = Threads.acquireAll(heirs);
      heirs.checkInvariants();
      Threads.free(heirs);
    }
  }

  /** Read, and then cleared. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 0"},
      expect = ACCEPTABLE,
      desc = "The other slab came back before or after.")
  @Outcome(
      id = "1, 0",
      expect = ACCEPTABLE_INTERESTING,
      desc = "The other slab came back between the two steps, and is lost.")
  @State
  public static class Weakened {
    private final AtomicLong returned = new AtomicLong(ONE);

    @Actor
    public void closing() {
      returned.getAndUpdate(before -> before | OTHER);
    }

    @Actor
    public void heir(II_Result r) {
      r.r1 = collect();
    }

    @Arbiter
    public void heirLater(II_Result r) {
      r.r2 = collect();
    }

    private int collect() {
      long found = returned.get();
      returned.set(0);
      return Long.bitCount(found);
    }
  }
}
