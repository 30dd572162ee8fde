package dev.rockpool.direct;

import static dev.rockpool.stress.Interleavings.check;
import static dev.rockpool.stress.Interleavings.checkBreaks;
import static dev.rockpool.stress.Interleavings.checkLong;
import static dev.rockpool.stress.Interleavings.checkModel;
import static dev.rockpool.stress.Interleavings.race;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * {@link KeptMemory} in all orders of steps: threads that allocate and free, and the housekeeper,
 * within a limit that has room for two small blocks or a large one.
 */
class KeptMemoryTest {
  private static final String TWO_OWNERS = "one block, two owners";
  private static final String LIMIT_EXCEEDED = "more memory than the limit";

  private static final long SMALL = KeptMemory.SMALLEST;
  private static final long LARGE = 2 * SMALL;
  private static final long LIMIT = LARGE;

  private static Budget budget() {
    return new Budget(LIMIT, "the test");
  }

  /**
   * Hands out pieces of memory that is never freed, so that nobody crashes who touches a block too
   * late. Counts what is handed out, and remembers what went wrong: who frees may not throw.
   */
  private static final class Source implements MemorySource {
    private static final int PIECES = 4;
    private static final long BASE = Arena.global().allocate(PIECES * LARGE, SMALL).address();

    private final AtomicIntegerArray used = new AtomicIntegerArray(PIECES);
    private final AtomicIntegerArray owners = new AtomicIntegerArray(PIECES);
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable String> violation = new AtomicReference<>();

    @Override
    public long allocateZeroed(long byteSize) {
      if (bytes.addAndGet(byteSize) > LIMIT) {
        violation.set(LIMIT_EXCEEDED);
      }
      int piece = 0;
      while (!used.compareAndSet(piece, 0, 1)) {
        piece++;
      }
      return BASE + piece * LARGE;
    }

    @Override
    public void free(long address, long byteSize) {
      if (owners.get(piece(address)) != 0) {
        violation.set("freed under its owner");
      }
      if (!used.compareAndSet(piece(address), 1, 0)) {
        violation.set("freed twice");
      }
      bytes.addAndGet(-byteSize);
    }

    private static int piece(long address) {
      return (int) ((address - BASE) / LARGE);
    }

    long own(long address) {
      if (owners.incrementAndGet(piece(address)) != 1) {
        violation.set(TWO_OWNERS);
      }
      return address;
    }

    void disown(long address) {
      owners.decrementAndGet(piece(address));
    }

    void check(long expectedBytes) {
      if (violation.get() != null) {
        throw new AssertionError(violation.get());
      }
      if (bytes.get() != expectedBytes) {
        throw new AssertionError("bytes of the source: " + bytes + ", not " + expectedBytes);
      }
    }
  }

  /** The two operations of a block's life, and the housekeeper's. */
  private abstract static class Kept {
    final Source source = new Source();
    final Budget budget = budget();

    abstract long allocateReserved(long byteSize);

    abstract void free(long address, long byteSize);

    abstract void trim();

    abstract long kept();

    abstract void checkInvariants();

    /** Returns 0 if there is no room. */
    long allocate(long byteSize) {
      return budget.tryReserve(byteSize) ? source.own(allocateReserved(byteSize)) : 0;
    }

    void freeAndCredit(long address, long byteSize) {
      source.disown(address);
      free(address, byteSize);
      budget.credit(byteSize);
    }

    void allocateAndFree(long byteSize) {
      long address = allocate(byteSize);
      if (address != 0) {
        freeAndCredit(address, byteSize);
      }
    }

    /** Nobody has a block any more. */
    void end() {
      source.check(kept());
      checkInvariants();
    }
  }

  private static final class Real extends Kept {
    private final KeptMemory memory = new KeptMemory(source, budget);

    Real() {
      memory.tendByHand();
    }

    @Override
    long allocateReserved(long byteSize) {
      return memory.allocateZeroed(byteSize);
    }

    @Override
    void free(long address, long byteSize) {
      memory.free(address, byteSize);
    }

    @Override
    void trim() {
      memory.trim();
    }

    @Override
    long kept() {
      return memory.kept();
    }

    @Override
    void checkInvariants() {
      memory.checkInvariants();
    }
  }

  /** The protocol in a few lines: one block is kept, of whatever size. */
  private static class Model extends Kept {
    long address;
    long byteSize;
    volatile long kept;
    private boolean used;

    @Override
    long allocateReserved(long wanted) {
      long found = take(wanted);
      if (found == 0) {
        if (isInTheWay()) {
          giveUp();
        }
        found = source.allocateZeroed(wanted);
      }
      return found;
    }

    boolean isInTheWay() {
      return kept > budget.limit() - budget.reserved();
    }

    synchronized long take(long wanted) {
      long found = byteSize == wanted ? address : 0;
      if (found != 0) {
        clear();
        kept = 0;
      }
      return found;
    }

    void clear() {
      address = 0;
      byteSize = 0;
    }

    @Override
    void free(long freed, long itsByteSize) {
      if (!keep(freed, itsByteSize)) {
        source.free(freed, itsByteSize);
      }
    }

    synchronized boolean keep(long freed, long itsByteSize) {
      if (address != 0) {
        return false;
      }
      address = freed;
      byteSize = itsByteSize;
      kept = itsByteSize;
      used = true;
      return true;
    }

    synchronized void giveUp() {
      if (address != 0) {
        source.free(address, byteSize);
        clear();
        kept = 0;
      }
    }

    @Override
    synchronized void trim() {
      if (!used) {
        giveUp();
      }
      used = false;
    }

    @Override
    long kept() {
      return kept;
    }

    @Override
    void checkInvariants() {}
  }

  /** Two threads want the block that is kept. */
  private static void oneBlock(Kept kept) {
    kept.allocateAndFree(SMALL);
    long[] blocks = new long[2];
    race(() -> blocks[0] = kept.allocate(SMALL), () -> blocks[1] = kept.allocate(SMALL));
    kept.source.check(2 * SMALL);
    kept.freeAndCredit(blocks[0], SMALL);
    kept.freeAndCredit(blocks[1], SMALL);
    kept.end();
  }

  /** Two threads allocate and free, when the housekeeper gives up what they might take. */
  private static void oneSize(Kept kept) {
    kept.allocateAndFree(SMALL);
    kept.trim();
    race(() -> kept.allocateAndFree(SMALL), () -> kept.allocateAndFree(SMALL), kept::trim);
    kept.end();
  }

  /** One thread frees a block as large as the limit, and another one wants a small one. */
  private static void twoSizes(Kept kept) {
    long large = kept.allocate(LARGE);
    race(() -> kept.freeAndCredit(large, LARGE), () -> kept.allocateAndFree(SMALL));
    kept.end();
  }

  /** A large block is in the way of a small one, and the housekeeper gives it up. */
  private static void inTheWay(Kept kept) {
    kept.allocateAndFree(LARGE);
    kept.trim();
    race(() -> kept.allocateAndFree(SMALL), kept::trim);
    kept.end();
  }

  @Test
  void realWithOneBlock() {
    check(() -> oneBlock(new Real()));
  }

  @Test
  void realWithOneSize() {
    checkLong(() -> oneSize(new Real()));
  }

  @Test
  void realWithTwoSizes() {
    check(() -> twoSizes(new Real()));
  }

  @Test
  void realWithABlockInTheWay() {
    checkLong(() -> inTheWay(new Real()));
  }

  @Test
  void model() {
    checkModel(() -> oneBlock(new Model()));
    checkModel(() -> oneSize(new Model()));
    checkModel(() -> twoSizes(new Model()));
    checkModel(() -> inTheWay(new Model()));
  }

  @Test
  void weakenedWhereTakingIsALookAndAStep() {
    class Weakened extends Model {
      @Override
      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
      long take(long wanted) {
        long found;
        synchronized (this) {
          found = byteSize == wanted ? address : 0;
        }
        if (found != 0) {
          synchronized (this) {
            clear();
            kept = 0;
          }
        }
        return found;
      }
    }
    checkBreaks(TWO_OWNERS, () -> oneBlock(new Weakened()));
  }

  @Test
  void weakenedWhereABlockIsCreditedBeforeItCountsAsKept() {
    class Weakened extends Model {
      @Override
      void freeAndCredit(long freed, long itsByteSize) {
        source.disown(freed);
        budget.credit(itsByteSize);
        free(freed, itsByteSize);
      }
    }
    checkBreaks(LIMIT_EXCEEDED, () -> twoSizes(new Weakened()));
  }

  @Test
  void weakenedWhereABlockCountsNoMoreBeforeItIsGivenBack() {
    class Weakened extends Model {
      @Override
      synchronized void giveUp() {
        if (address != 0) {
          kept = 0;
          source.free(address, byteSize);
          clear();
        }
      }
    }
    checkBreaks(LIMIT_EXCEEDED, () -> inTheWay(new Weakened()));
  }
}
