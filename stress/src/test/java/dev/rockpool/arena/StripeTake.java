package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two threads take the one block of a stripe.
 *
 * <p>The hole: both find it, and both have it. Hardware reaches it wherever the look and the store
 * are two steps.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=StripeTake}
 */
public final class StripeTake {
  private static final long BLOCK = 16;

  private StripeTake() {}

  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "One has the block, the other finds none.")
  @Outcome(id = "true, true", expect = FORBIDDEN, desc = "One block in two hands.")
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "A kept block that nobody gets.")
  static final class Promise {}

  /** A stripe whose content is exchanged for 0. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong stripe = new AtomicLong(BLOCK);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = stripe.getAndSet(0) != 0;
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = stripe.getAndSet(0) != 0;
    }
  }

  /** {@link StripedBlocks#take}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final StripedBlocks blocks = new StripedBlocks(1);

    public Real() {
      blocks.tryKeep(BLOCK);
    }

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = blocks.take() != 0;
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = blocks.take() != 0;
    }
  }

  /** Looks first, and leaves 0 then. */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "One was late enough to find none.")
  @Outcome(
      id = "true, true",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Both looked before either had left 0: one block in two hands.")
  @State
  public static class Weakened {
    private long stripe = BLOCK;

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = take() != 0;
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = take() != 0;
    }

    private long take() {
      long found = stripe;
      stripe = 0;
      return found;
    }
  }
}
