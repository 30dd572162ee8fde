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
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A virtual thread zeroes and gives back the last owned slab of an ended carrier, while the
 * housekeeper frees what nobody owns.
 *
 * <p>The hole: the memory is freed while the virtual thread still writes to it, or never. Hardware
 * reaches it if the slab is returned before it is zeroed. That processor or compiler swap the two,
 * where the return is a plain store, x86 can't show.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=ReturnAndSweep}
 */
public final class ReturnAndSweep {
  private static final long SLAB = 1;
  private static final String THERE = "there";
  private static final String GONE = "gone";
  private static final String FREED = "freed";
  private static final String FREED_LATER = "freed later";
  private static final String KEPT = "kept";

  private ReturnAndSweep() {}

  @Outcome(
      id = "there, freed",
      expect = ACCEPTABLE,
      desc = "The slab was back when the housekeeper looked.")
  @Outcome(
      id = "there, freed later",
      expect = ACCEPTABLE,
      desc = "It was back when the housekeeper looked again.")
  @Outcome(
      id = {"gone, freed", "gone, freed later", "gone, kept"},
      expect = FORBIDDEN,
      desc = "Freed while an arena had it.")
  @Outcome(id = "there, kept", expect = FORBIDDEN, desc = "Memory that nobody frees.")
  static final class Promise {}

  /** Zeroed, then returned. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong returned = new AtomicLong();
    private final long[] slab = new long[Words.COUNT];
    private volatile boolean freed;

    @Actor
    public void closing(LL_Result r) {
      Words.zero(slab);
      r.r1 = freed ? GONE : THERE;
      returned.set(SLAB);
    }

    @Actor
    public void housekeeper() {
      sweep();
    }

    @Arbiter
    public void housekeeperLater(LL_Result r) {
      boolean before = freed;
      sweep();
      r.r2 = before ? FREED : freed ? FREED_LATER : KEPT;
    }

    private void sweep() {
      if (returned.get() == SLAB) {
        freed = true;
      }
    }
  }

  /** {@link ThreadSlabs#releaseFromElsewhere} and {@link SlabRegistry#sweep}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final SlabRegistry registry = new SlabRegistry(Words.BYTE_SIZE, 1);
    private final ThreadSlabs left = Threads.leaveServedOnce(registry);
    private final int run = left.acquire(1);
    private volatile boolean freed;

    @Actor
    public void closing(LL_Result r) {
      Words.zero(left.address(run));
      r.r1 = freed ? GONE : THERE;
      left.releaseFromElsewhere(run);
    }

    @Actor
    public void housekeeper() {
      sweep();
    }

    @Arbiter
    public void housekeeperLater(LL_Result r) {
      registry.checkInvariants();
      boolean before = freed;
      sweep();
      boolean once = freed && registry.counts().served == 1;
      r.r2 = !once ? KEPT : before ? FREED : FREED_LATER;
    }

    private void sweep() {
      registry.sweep();
      if (registry.byteSize() == 0) {
        freed = true;
      }
    }
  }

  /** Returned, then zeroed. */
  @JCStressTest
  @Outcome(
      id = {"there, freed", "there, freed later"},
      expect = ACCEPTABLE,
      desc = "The housekeeper was late enough, or too early.")
  @Outcome(
      id = "gone, freed",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Freed between return and zeroing: zeroes go to memory of somebody else.")
  @State
  public static class Weakened {
    private final AtomicLong returned = new AtomicLong();
    private final long[] slab = new long[Words.COUNT];
    private volatile boolean freed;

    @Actor
    public void closing(LL_Result r) {
      returned.set(SLAB);
      Threads.letOthersComeBetween();
      Words.zero(slab);
      r.r1 = freed ? GONE : THERE;
    }

    @Actor
    public void housekeeper() {
      sweep();
    }

    @Arbiter
    public void housekeeperLater(LL_Result r) {
      boolean before = freed;
      sweep();
      r.r2 = before ? FREED : freed ? FREED_LATER : KEPT;
    }

    private void sweep() {
      if (returned.get() == SLAB) {
        freed = true;
      }
    }
  }
}
