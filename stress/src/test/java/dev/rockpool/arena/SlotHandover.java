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
 * Two threads use the one shared slot: each finds its slab, writes to it, zeroes it, releases the
 * slot.
 *
 * <p>The hole: the second finds data of the first, because it got the slot too early, or because
 * the zeroes arrive after the release. Hardware reaches it if the steps are in the wrong order.
 * That processor or compiler swap them, where the release is a plain store, x86 can't show: it
 * keeps stores in order. Others may.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=SlotHandover}
 */
public final class SlotHandover {
  private static final long FREE = 0;
  private static final long OWNED = 1;
  private static final String NONE = "none";

  private SlotHandover() {}

  @Outcome(id = "zero, zero", expect = ACCEPTABLE, desc = "One after the other.")
  @Outcome(
      id = {"zero, none", "none, zero"},
      expect = ACCEPTABLE,
      desc = "One has the slot while the other looks.")
  @Outcome(id = "none, none", expect = FORBIDDEN, desc = "A free slot that nobody gets.")
  @Outcome(expect = FORBIDDEN, desc = "A slab with data, or in two hands.")
  static final class Promise {}

  /** Claimed by CAS, zeroed, then released by a releasing store. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong claim = new AtomicLong();
    private final long[] slab = new long[Words.COUNT];

    @Actor
    public void first(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = use();
    }

    private String use() {
      if (!claim.compareAndSet(FREE, OWNED)) {
        return NONE;
      }
      String found = Words.findAndWrite(slab);
      Words.zero(slab);
      claim.setRelease(FREE);
      return found;
    }
  }

  /** {@link SharedSlabs#acquire} and {@link SharedSlabs#release}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final SharedSlabs slabs = SharedSlabs.of(Words.BYTE_SIZE, 1);

    @Actor
    public void first(LL_Result r) {
      r.r1 = use(1);
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = use(2);
    }

    private String use(long hint) {
      int slot = slabs.acquire(hint);
      if (slot == SharedSlabs.NONE) {
        return NONE;
      }
      String found = Words.findAndWrite(slabs.address(slot));
      Words.zero(slabs.address(slot));
      slabs.release(slot, 1);
      return found;
    }

    @Arbiter
    public void free() {
      slabs.checkInvariants();
      slabs.freeAll();
    }
  }

  /** Releases first, and zeroes then. */
  @JCStressTest
  @Outcome(id = "zero, zero", expect = ACCEPTABLE, desc = "One late enough after the other.")
  @Outcome(
      id = {"zero, none", "none, zero"},
      expect = ACCEPTABLE,
      desc = "One has the slot while the other looks.")
  @Outcome(
      id = {"zero, data", "data, zero"},
      expect = ACCEPTABLE_INTERESTING,
      desc = "The second had the slot before the first had zeroed its slab.")
  @State
  public static class Weakened {
    private final AtomicLong claim = new AtomicLong();
    private final long[] slab = new long[Words.COUNT];

    @Actor
    public void first(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = use();
    }

    private String use() {
      if (!claim.compareAndSet(FREE, OWNED)) {
        return NONE;
      }
      String found = Words.findAndWrite(slab);
      claim.setRelease(FREE);
      Threads.letOthersComeBetween();
      Words.zero(slab);
      return found;
    }
  }
}
