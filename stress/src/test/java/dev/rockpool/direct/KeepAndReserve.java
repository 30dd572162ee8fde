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
 * All of a budget is reserved, for one block. One thread frees that, so that it is kept; another
 * one reserves as much for memory of another size, and gives up what is kept and in its way.
 *
 * <p>The hole: the second thread reserves what the first one gave back, does not see that the block
 * is kept, and allocates besides. Hardware reaches it wherever the bytes are credited before they
 * count as kept.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=KeepAndReserve}
 */
public final class KeepAndReserve {
  private static final long LIMIT = 8 << 10;

  private KeepAndReserve() {}

  @Outcome(id = "true", expect = ACCEPTABLE, desc = "Never more memory than the limit.")
  @Outcome(id = "false", expect = FORBIDDEN, desc = "A block is kept that nobody made room for.")
  static final class Promise {}

  /** Counts as kept, then is credited. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final AtomicLong reserved = new AtomicLong(LIMIT);
    private final AtomicLong kept = new AtomicLong();
    private boolean allocated;

    @Actor
    public void free() {
      kept.set(LIMIT);
      reserved.set(0);
    }

    @Actor
    public void allocate() {
      if (reserved.compareAndSet(0, LIMIT)) {
        kept.compareAndSet(LIMIT, 0);
        allocated = true;
      }
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = !allocated || kept.get() == 0;
    }
  }

  /** Counts what is taken from it. It has no real memory: nobody looks at it. */
  private static final class Counting implements MemorySource {
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean exceeded;

    @Override
    public long allocateZeroed(long byteSize) {
      if (bytes.addAndGet(byteSize) > LIMIT) {
        exceeded = true;
      }
      return byteSize;
    }

    @Override
    public void free(long address, long byteSize) {
      bytes.addAndGet(-byteSize);
    }
  }

  /** {@link KeptMemory} and {@link Budget}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final Budget budget = new Budget(LIMIT, "the test");
    private final Counting source = new Counting();
    private final KeptMemory kept = new KeptMemory(source, budget);

    public Real() {
      kept.tendByHand();
      budget.reservesNow(LIMIT);
      kept.allocateZeroed(LIMIT);
    }

    @Actor
    public void free() {
      kept.free(LIMIT, LIMIT);
      budget.credit(LIMIT);
    }

    @Actor
    public void allocate() {
      if (budget.tryReserve(LIMIT - 1)) {
        kept.allocateZeroed(LIMIT - 1);
      }
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = !source.exceeded;
    }
  }

  /** Is credited, and counts as kept then. */
  @JCStressTest
  @Outcome(id = "true", expect = ACCEPTABLE, desc = "Never more memory than the limit.")
  @Outcome(
      id = "false",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Reserved in between: memory is allocated, and a block is kept besides.")
  @State
  public static class Weakened {
    private final AtomicLong reserved = new AtomicLong(LIMIT);
    private final AtomicLong kept = new AtomicLong();
    private boolean allocated;

    @Actor
    public void free() {
      reserved.set(0);
      kept.set(LIMIT);
    }

    @Actor
    public void allocate() {
      if (reserved.compareAndSet(0, LIMIT)) {
        kept.compareAndSet(LIMIT, 0);
        allocated = true;
      }
    }

    @Arbiter
    public void look(Z_Result r) {
      r.r1 = !allocated || kept.get() == 0;
    }
  }
}
