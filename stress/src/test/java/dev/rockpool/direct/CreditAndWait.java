package dev.rockpool.direct;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.rockpool.direct.WaitingLine.Waiter;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * All of a budget is reserved. One thread credits it and looks whether somebody waits; another one
 * stands in line and looks whether there is room.
 *
 * <p>The hole: neither sees the other, and the thread waits although there is memory. Hardware
 * reaches it wherever one of the two looks before it has said what it did.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=CreditAndWait}
 */
public final class CreditAndWait {
  private static final long LIMIT = 100;

  private CreditAndWait() {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "Served, by itself or by the other one.")
  @Outcome(id = "false", expect = FORBIDDEN, desc = "There is memory, and it waits for it.")
  static final class Promise {}

  /** Each first says what it did, then looks. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong reserved = new AtomicLong(LIMIT);
    private volatile boolean occupied;
    private volatile boolean served;

    @Actor
    public void credit() {
      reserved.addAndGet(-LIMIT);
      if (occupied) {
        serve();
      }
    }

    @Actor
    public void enter() {
      occupied = true;
      serve();
    }

    private void serve() {
      if (reserved.compareAndSet(0, LIMIT)) {
        served = true;
      }
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = served;
    }
  }

  /** {@link DirectMemory#credit} and {@link WaitingLine#enter}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final DirectMemory memory = reserved();

    private static DirectMemory reserved() {
      DirectMemory memory = new DirectMemory(new Budget(LIMIT, "the test"), MemorySource.SYSTEM);
      memory.reserve(LIMIT);
      return memory;
    }

    @Actor
    public void credit() {
      memory.credit(LIMIT);
    }

    @Actor
    public void enter() {
      memory.line().enter(new Waiter(LIMIT));
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = memory.line().length() == 0 && memory.reserved() == LIMIT;
    }
  }

  /** Looks first, and stands in line then. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "Served, by itself or by the other one.")
  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Credited between the look and the line: there is memory, and it waits for it.")
  @State
  public static class Weakened {
    private final AtomicLong reserved = new AtomicLong(LIMIT);
    private volatile boolean occupied;
    private volatile boolean served;

    @Actor
    public void credit() {
      reserved.addAndGet(-LIMIT);
      if (occupied) {
        serve();
      }
    }

    @Actor
    public void enter() {
      serve();
      occupied = true;
    }

    private void serve() {
      if (reserved.compareAndSet(0, LIMIT)) {
        served = true;
      }
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = served;
    }
  }
}
