package dev.rockpool.arena;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.rockpool.internal.Account;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A thread has ended, and left blocks and the count of an arena. The housekeeper looks for such
 * threads; a new thread does as well, before it adds itself. The result is how often the arena was
 * counted.
 *
 * <p>The hole: both free the same blocks, and count the arena twice. Hardware reaches it wherever
 * the look and the removal are two steps.
 *
 * <p>{@code mvn verify -pl core,stress -Drockpool.stress.tests=EndedThread}
 */
public final class EndedThread {
  private static final long ENDED = 1;

  private EndedThread() {}

  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Freed once.")
  @Outcome(expect = FORBIDDEN, desc = "Freed twice, or never.")
  static final class Promise {}

  /** One lock around the look and the removal. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Model {
    private final ConcurrentHashMap<Long, Long> threads = new ConcurrentHashMap<>();
    private long counted;

    public Model() {
      threads.put(ENDED, 1L);
    }

    @Actor
    public synchronized void newThread() {
      removeEnded();
    }

    @Actor
    public synchronized void housekeeper() {
      removeEnded();
    }

    private void removeEnded() {
      Long left = threads.remove(ENDED);
      counted += left == null ? 0 : left;
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = counted;
    }
  }

  /** {@link PoolMemory#findOrMake} and {@link PoolMemory#freeEnded}. */
  @JCStressTest
  @JCStressMeta(Promise.class)
  @State
  public static class Real {
    private final PoolMemory memory = new PoolMemory(Words.BYTE_SIZE, 1, Account.NONE);

    public Real() {
      Thread ended = new Thread(() -> Objects.requireNonNull(memory.findOrMake()).arenasClosed++);
      ended.start();
      try {
        ended.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Actor
    public void newThread() {
      memory.findOrMake();
    }

    @Actor
    public void housekeeper() {
      memory.freeEnded();
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = memory.statistics(PoolStatistics.State.ON).arenasClosed();
    }
  }

  /** Looks, and removes then, without a lock. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "One came late enough after the other.")
  @Outcome(
      id = "2",
      expect = ACCEPTABLE_INTERESTING,
      desc = "Both looked before either had removed it: freed twice.")
  @State
  public static class Weakened {
    private final ConcurrentHashMap<Long, Long> threads = new ConcurrentHashMap<>();
    private volatile long byNewThread;
    private volatile long byHousekeeper;

    public Weakened() {
      threads.put(ENDED, 1L);
    }

    @Actor
    public void newThread() {
      byNewThread = removeEnded();
    }

    @Actor
    public void housekeeper() {
      byHousekeeper = removeEnded();
    }

    private long removeEnded() {
      Long left = threads.get(ENDED);
      threads.remove(ENDED);
      return left == null ? 0 : left;
    }

    @Arbiter
    public void count(J_Result r) {
      r.r1 = byNewThread + byHousekeeper;
    }
  }
}
