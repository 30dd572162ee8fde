package dev.rockpool.direct;

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
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * All of a budget is charged. One thread refunds it and looks whether somebody waits; another one
 * enters as a waiter and looks whether there is room.
 *
 * <p>The hole: neither sees the other, and the thread waits although there is memory. Hardware
 * reaches it wherever one of the two looks before it has said what it did.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=RefundAndWait}
 */
public final class RefundAndWait {
  private static final long LIMIT = 100;

  private RefundAndWait() {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "Served, by itself or by the other one.")
  @Outcome(id = "false", expect = FORBIDDEN, desc = "There is memory, and it waits for it.")
  static final class Promise {}

  /** What the model and its weakened copy have in common. */
  abstract static class Looks {
    private final AtomicLong charged = new AtomicLong(LIMIT);
    volatile boolean occupied;
    volatile boolean served;

    final void refundAndLook() {
      charged.addAndGet(-LIMIT);
      if (occupied) {
        serve();
      }
    }

    final void serve() {
      if (charged.compareAndSet(0, LIMIT)) {
        served = true;
      }
    }
  }

  /** Each first says what it did, then looks. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model extends Looks {
    @Actor
    public void refund() {
      refundAndLook();
    }

    @Actor
    public void enter() {
      occupied = true;
      serve();
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = served;
    }
  }

  /** {@link Budget#refund} and {@link Waiters#enter}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final Budget budget = charged();

    private static Budget charged() {
      Budget budget = new Budget(LIMIT, "the test");
      budget.charge(LIMIT);
      return budget;
    }

    @Actor
    public void refund() {
      budget.refund(LIMIT);
    }

    @Actor
    public void enter() {
      budget.waiters().enter(budget.waiters().new Waiter(LIMIT));
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = budget.waiters().length() == 0 && budget.inUse() == LIMIT;
    }
  }

  /** Looks first, and enters then. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "Served, by itself or by the other one.")
  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Refunded between the look and the entry: there is memory, and it waits for it.")
  @State
  public static class Weakened extends Looks {
    @Actor
    public void refund() {
      refundAndLook();
    }

    @Actor
    public void enter() {
      serve();
      occupied = true;
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = served;
    }
  }
}
