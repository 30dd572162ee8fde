package dev.rockpool.direct;

import static dev.rockpool.stress.Interleavings.check;
import static dev.rockpool.stress.Interleavings.checkBreaks;
import static dev.rockpool.stress.Interleavings.checkLong;
import static dev.rockpool.stress.Interleavings.checkModel;
import static dev.rockpool.stress.Interleavings.race;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * {@link KeptMemory} in all orders of steps: threads that allocate and free, and the housekeeper,
 * within a limit that has room for three small blocks, and for one and a large one.
 */
class KeptMemoryOrdersTest {
  private static final String TWO_OWNERS = "one block, two owners";
  private static final String LIMIT_EXCEEDED = "more memory than the limit";

  private static final long SMALL = KeptMemory.SMALLEST;
  private static final long LARGE = 2 * SMALL;
  private static final long LIMIT = SMALL + LARGE;

  private static Budget budget() {
    return new Budget(LIMIT, "the test");
  }

  /**
   * Hands out numbers instead of memory, and counts them. Remembers what went wrong: whoever frees
   * may not throw.
   */
  private static final class Source implements MemorySource {
    private static final int MOST = 8;

    private final AtomicIntegerArray used = new AtomicIntegerArray(MOST);
    private final AtomicIntegerArray owners = new AtomicIntegerArray(MOST);
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable String> violation = new AtomicReference<>();

    @Override
    public long allocateZeroed(long byteSize) {
      if (bytes.addAndGet(byteSize) > LIMIT) {
        violation.set(LIMIT_EXCEEDED);
      }
      int address = 1;
      while (!used.compareAndSet(address, 0, 1)) {
        address++;
      }
      return address;
    }

    @Override
    public void free(long address, long byteSize) {
      if (owners.get((int) address) != 0) {
        violation.set("freed under its owner");
      }
      if (!used.compareAndSet((int) address, 1, 0)) {
        violation.set("freed twice");
      }
      bytes.addAndGet(-byteSize);
    }

    long own(long address) {
      if (owners.incrementAndGet((int) address) != 1) {
        violation.set(TWO_OWNERS);
      }
      return address;
    }

    void disown(long address) {
      owners.decrementAndGet((int) address);
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
      long taken = memory.take(byteSize);
      return taken != 0 ? taken : memory.allocateZeroed(byteSize);
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

  private record Block(long address, long byteSize) {}

  /** The protocol in a few lines. */
  private static class Model extends Kept {
    final ArrayDeque<Block> blocks = new ArrayDeque<>();
    volatile long kept;
    private boolean used;

    @Override
    long allocateReserved(long byteSize) {
      long taken = take(byteSize);
      if (taken != 0) {
        return taken;
      }
      makeRoom();
      return source.allocateZeroed(byteSize);
    }

    void makeRoom() {
      while (kept > 0 && givesUpIfInTheWay()) {}
    }

    synchronized boolean givesUpIfInTheWay() {
      return kept > budget.limit() - budget.reserved() && givesUp();
    }

    synchronized long take(long byteSize) {
      Block found = find(byteSize);
      return found == null ? 0 : take(found);
    }

    final @Nullable Block find(long byteSize) {
      Block last = blocks.peekLast();
      return last != null && last.byteSize == byteSize ? last : null;
    }

    final long take(Block found) {
      blocks.remove(found);
      kept -= found.byteSize;
      return found.address;
    }

    @Override
    synchronized void free(long address, long byteSize) {
      blocks.add(new Block(address, byteSize));
      kept += byteSize;
      used = true;
    }

    synchronized boolean givesUp() {
      Block block = blocks.poll();
      if (block == null) {
        return false;
      }
      source.free(block.address, block.byteSize);
      kept -= block.byteSize;
      return true;
    }

    @Override
    synchronized void trim() {
      if (!used) {
        givesUp();
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

  /** All there may be is freed, while somebody wants a little. */
  private static void twoSizes(Kept kept) {
    long all = kept.allocate(LIMIT);
    race(() -> kept.freeAndCredit(all, LIMIT), () -> kept.allocateAndFree(SMALL));
    kept.end();
  }

  /** All there may be is kept, and in the way of a little, when the housekeeper gives it up. */
  private static void inTheWay(Kept kept) {
    kept.allocateAndFree(LIMIT);
    kept.trim();
    race(() -> kept.allocateAndFree(SMALL), kept::trim);
    kept.end();
  }

  /** A small block is in the way of a large one, when another small one comes to it. */
  private static void freedMeanwhile(Kept kept) {
    long first = kept.allocate(SMALL);
    long second = kept.allocate(SMALL);
    kept.freeAndCredit(first, SMALL);
    race(() -> kept.freeAndCredit(second, SMALL), () -> kept.allocateAndFree(LARGE));
    kept.end();
  }

  /** Two small blocks are in the way of a large one, when somebody takes one of them. */
  private static void takenMeanwhile(Kept kept) {
    long first = kept.allocate(SMALL);
    long second = kept.allocate(SMALL);
    kept.freeAndCredit(first, SMALL);
    kept.freeAndCredit(second, SMALL);
    race(() -> kept.allocateAndFree(SMALL), () -> kept.allocateAndFree(LARGE));
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
  void realWithABlockFreedMeanwhile() {
    check(() -> freedMeanwhile(new Real()));
  }

  @Test
  void realWithABlockTakenMeanwhile() {
    checkLong(() -> takenMeanwhile(new Real()));
  }

  @Test
  void model() {
    checkModel(() -> oneBlock(new Model()));
    checkModel(() -> oneSize(new Model()));
    checkModel(() -> twoSizes(new Model()));
    checkModel(() -> inTheWay(new Model()));
    checkModel(() -> freedMeanwhile(new Model()));
    checkModel(() -> takenMeanwhile(new Model()));
  }

  @Test
  void weakenedWhereTakingIsALookAndAStep() {
    class Weakened extends Model {
      @Override
      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
      long take(long byteSize) {
        Block found;
        synchronized (this) {
          found = find(byteSize);
        }
        if (found == null) {
          return 0;
        }
        synchronized (this) {
          return take(found);
        }
      }
    }
    checkBreaks(TWO_OWNERS, () -> oneBlock(new Weakened()));
  }

  @Test
  void weakenedWhereABlockIsCreditedBeforeItCountsAsKept() {
    class Weakened extends Model {
      @Override
      void freeAndCredit(long address, long byteSize) {
        source.disown(address);
        budget.credit(byteSize);
        free(address, byteSize);
      }
    }
    checkBreaks(LIMIT_EXCEEDED, () -> twoSizes(new Weakened()));
  }

  @Test
  void weakenedWhereABlockCountsNoMoreBeforeItIsGivenBack() {
    class Weakened extends Model {
      @Override
      synchronized boolean givesUp() {
        Block block = blocks.poll();
        if (block == null) {
          return false;
        }
        kept -= block.byteSize();
        source.free(block.address(), block.byteSize());
        return true;
      }
    }
    checkBreaks(LIMIT_EXCEEDED, () -> inTheWay(new Weakened()));
  }

  @Test
  void weakenedWhereKeptAndThenReservedIsReadWithoutTheMonitor() {
    class Weakened extends Model {
      @Override
      void makeRoom() {
        if (kept > budget.limit() - budget.reserved()) {
          super.makeRoom();
        }
      }
    }
    checkBreaks(LIMIT_EXCEEDED, () -> freedMeanwhile(new Weakened()));
  }

  @Test
  void weakenedWhereReservedAndThenKeptIsReadWithoutTheMonitor() {
    class Weakened extends Model {
      @Override
      void makeRoom() {
        long reserved = budget.reserved();
        if (kept > budget.limit() - reserved) {
          super.makeRoom();
        }
      }
    }
    checkBreaks(LIMIT_EXCEEDED, () -> takenMeanwhile(new Weakened()));
  }
}
