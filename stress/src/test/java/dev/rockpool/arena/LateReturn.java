package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.rockpool.arena.ThreadSlabs.Run;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A virtual thread gives back the only slab of a carrier that has ended, while a new thread takes
 * over that carrier's slabs and looks for a free one.
 *
 * <p>The hole: the slab comes back where nobody looks any more, or is handed out twice. Hardware
 * reaches it if the heir does not share the word that says what was returned.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=LateReturn}
 */
public final class LateReturn {
  private static final long SLAB = 1;
  private static final String GOT = "got";
  private static final String NONE = "none";

  private LateReturn() {}

  @Outcome(id = "got, none", expect = ACCEPTABLE, desc = "It was back when the heir looked.")
  @Outcome(id = "none, got", expect = ACCEPTABLE, desc = "It was back later, and is not lost.")
  @Outcome(id = "none, none", expect = FORBIDDEN, desc = "The slab is lost.")
  @Outcome(id = "got, got", expect = FORBIDDEN, desc = "One slab in two hands.")
  static final class Promise {}

  /** A slab that is taken, and a word that says whether it was returned. */
  record Left(AtomicLong returned) {
    /** Gets the slab if it is back. */
    String acquire() {
      return returned.getAndSet(0) == SLAB ? GOT : NONE;
    }
  }

  /** The heir has the same word. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final Left left = new Left(new AtomicLong());
    private Left heirs = left;

    @Actor
    public void closing() {
      left.returned.set(SLAB);
    }

    @Actor
    public void heir(LL_Result r) {
      heirs = new Left(left.returned);
      r.r1 = heirs.acquire();
    }

    @Arbiter
    public void heirLater(LL_Result r) {
      r.r2 = heirs.acquire();
    }
  }

  /** {@link ThreadSlabs#releaseFromElsewhere} and {@link ThreadSlabs#passTo}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final ThreadSlabs left = Threads.slabs(Threads.ENDED, 1);
    private final int run = left.acquire(1);
    private ThreadSlabs heirs = left;

    @Actor
    public void closing() {
      Words.findAndWrite(left.address(run));
      Words.zero(left.address(run));
      left.releaseFromElsewhere(run);
    }

    @Actor
    public void heir(LL_Result r) {
      heirs = left.passTo(Threads.ALIVE);
      r.r1 = acquire();
    }

    @Arbiter
    public void heirLater(LL_Result r) {
      r.r2 = acquire();
      heirs.checkInvariants();
      Threads.free(heirs);
    }

    private String acquire() {
      int found = heirs.acquire(1);
      if (found == Run.NONE) {
        return NONE;
      }
      if (!Words.findAndWrite(heirs.address(found)).equals("zero")) {
        return "data";
      }
      Words.zero(heirs.address(found));
      return GOT;
    }
  }

  /** The heir has a word of its own, which starts as what the other one said. */
  @JCStressTest
  @Outcome(id = "got, none", expect = ACCEPTABLE, desc = "It was back before it was passed on.")
  @Outcome(
      id = "none, none",
      expect = ACCEPTABLE_INTERESTING,
      desc = "It came back after it was passed on: the slab is lost.")
  @State
  public static class Weakened {
    private final Left left = new Left(new AtomicLong());
    private Left heirs = left;

    @Actor
    public void closing() {
      left.returned.set(SLAB);
    }

    @Actor
    public void heir(LL_Result r) {
      heirs = new Left(new AtomicLong(left.returned.get()));
      r.r1 = heirs.acquire();
    }

    @Arbiter
    public void heirLater(LL_Result r) {
      r.r2 = heirs.acquire();
    }
  }
}
