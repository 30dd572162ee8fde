package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.rockpool.internal.NativeMemory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Two threads use the one block of a stripe: each takes it, writes to it, zeroes it, keeps it.
 *
 * <p>The hole: the second finds data of the first, because it got the block too early, or because
 * the zeroes arrive after the block. Hardware reaches it if the steps are in the wrong order. That
 * processor or compiler swap them, where the block is kept by a plain store, x86 can't show: it
 * keeps stores in order. Others may.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=StripeHandover}
 */
public final class StripeHandover {
  private static final String NONE = "none";

  private StripeHandover() {}

  @Outcome(id = "zero, zero", expect = ACCEPTABLE, desc = "One after the other.")
  @Outcome(
      id = {"zero, none", "none, zero"},
      expect = ACCEPTABLE,
      desc = "One has the block while the other looks.")
  @Outcome(expect = FORBIDDEN, desc = "A block with data, in two hands, or in none.")
  static final class Promise {}

  /** Taken by an exchange, zeroed, then kept by a CAS. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicReference<long @Nullable []> stripe =
        new AtomicReference<>(new long[Words.COUNT]);

    @Actor
    public void first(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = use();
    }

    private String use() {
      long[] block = stripe.getAndSet(null);
      if (block == null) {
        return NONE;
      }
      String found = Words.findAndWrite(block);
      Words.zero(block);
      stripe.compareAndSet(null, block);
      return found;
    }
  }

  /** {@link StripedBlocks#take} and {@link StripedBlocks#tryKeep}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final StripedBlocks blocks = new StripedBlocks(1);

    public Real() {
      blocks.tryKeep(NativeMemory.allocateZeroed(Words.BYTE_SIZE));
    }

    @Actor
    public void first(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = use();
    }

    private String use() {
      long block = blocks.take();
      if (block == 0) {
        return NONE;
      }
      String found = Words.findAndWrite(block);
      Words.zero(block);
      blocks.tryKeep(block);
      return found;
    }

    @Arbiter
    public void free() {
      blocks.checkInvariants(Words.BYTE_SIZE);
      blocks.freeAll();
    }
  }

  /** Plain accesses, and keeps the block before it zeroes it. */
  @JCStressTest
  @Outcome(id = "zero, zero", expect = ACCEPTABLE, desc = "One late enough after the other.")
  @Outcome(
      id = {"zero, none", "none, zero"},
      expect = ACCEPTABLE,
      desc = "One has the block while the other looks.")
  @Outcome(
      id = {"zero, data", "data, zero", "data, data"},
      expect = ACCEPTABLE_INTERESTING,
      desc = "One had the block before the other had zeroed it.")
  @State
  public static class Weakened {
    private long @Nullable [] stripe = new long[Words.COUNT];

    @Actor
    public void first(LL_Result r) {
      r.r1 = use();
    }

    @Actor
    public void second(LL_Result r) {
      r.r2 = use();
    }

    private String use() {
      long[] block = stripe;
      stripe = null;
      if (block == null) {
        return NONE;
      }
      String found = Words.findAndWrite(block);
      stripe = block;
      Words.letOthersComeBetween();
      Words.zero(block);
      return found;
    }
  }
}
