package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Two new threads look for slabs at once, after a thread has ended that left some.
 *
 * <p>The hole: both get what it left, and each hands out slabs of the same memory. Hardware reaches
 * it wherever finding an orphan and removing it are two steps.
 *
 * <p>What this test leaves out is the end of the thread itself: the one here is long over. Between
 * a thread and whoever finds that it is not alive, the JVM promises order.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=OrphanAdoption}
 */
public final class OrphanAdoption {
  private static final String ADOPTED = "adopted";
  private static final String NEW = "new";

  private OrphanAdoption() {}

  @Outcome(
      id = {"adopted, new", "new, adopted"},
      expect = ACCEPTABLE,
      desc = "One takes over what was left, the other gets new memory.")
  @Outcome(id = "adopted, adopted", expect = FORBIDDEN, desc = "One memory, two heirs.")
  @Outcome(id = "new, new", expect = FORBIDDEN, desc = "What was left is left to nobody.")
  static final class Promise {}

  /** One lock around finding and removing. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final ArrayDeque<Object> orphans = new ArrayDeque<>();

    public Model() {
      orphans.add(ADOPTED);
    }

    @Actor
    public void first(LL_Result r) {
      r.r1 = slabs();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = slabs();
    }

    private synchronized Object slabs() {
      Object orphan = orphans.peekLast();
      if (orphan == null) {
        return NEW;
      }
      orphans.removeLast();
      return orphan;
    }
  }

  /** {@link SlabRegistry#slabsOf}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final SlabRegistry registry = new SlabRegistry(Words.BYTE_SIZE, 1);

    public Real() {
      Threads.leaveServedOnce(registry);
    }

    @Actor
    public void first(LL_Result r) {
      r.r1 = slabsOf(Threads.ALIVE);
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = slabsOf(Threads.ALSO_ALIVE);
    }

    /** The counts of an ended thread go along with its slabs, and tell them from new ones. */
    private String slabsOf(Thread thread) {
      ThreadSlabs slabs = registry.slabsOf(thread);
      if (slabs == null) {
        return "no memory";
      }
      return slabs.served == 0 ? NEW : ADOPTED;
    }

    @Arbiter
    public void free() {
      registry.checkInvariants();
      registry.freeAll();
    }
  }

  /** The same without a lock. */
  @JCStressTest
  @Outcome(
      id = {"adopted, new", "new, adopted"},
      expect = ACCEPTABLE,
      desc = "One was late enough to find nothing left.")
  @Outcome(
      id = "adopted, adopted",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Both found it before either had removed it: one memory, two heirs.")
  @State
  public static class Weakened {
    private volatile @Nullable Object orphan = ADOPTED;

    @Actor
    public void first(LL_Result r) {
      r.r1 = slabs();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = slabs();
    }

    private Object slabs() {
      Object found = orphan;
      if (found == null) {
        return NEW;
      }
      orphan = null;
      return found;
    }
  }
}
