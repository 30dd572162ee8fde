package dev.rockpool.direct;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Setting;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps freed memory for the next request of exactly its size. Each page of new memory costs a page
 * fault, which takes several times as long as clearing the page.
 *
 * <pre>
 *              allocateZeroed                   take: the caller zeroes it
 *   source  -------------------&gt;  handed out  &lt;----------------------------  kept
 *     ^  ^                          |    |                                    ^  |
 *     |  +---- free: not kept ------+    +----- free: of a size to keep ------+  |
 *     +-------- given up: the budget needs the bytes, or not taken for a while --+
 * </pre>
 *
 * <p>Memory is moved: it is on a shelf here, or it is the block's of whoever took it. Kept memory
 * stays taken from the {@link Budget}, so keeping and taking do not change the budget.
 */
final class KeptMemory {
  static final long LARGEST = 4 << 20;

  /** Most bytes zeroed at once: no safepoint can start before the call that zeroes has ended. */
  private static final long STEP = 1 << 20;

  /** Off with checks: a malloc checker must see that freed blocks are free. */
  private static final boolean KEEPS = !Setting.isCheckOn();

  /** Number of sizes that are kept at once. A program asks for few sizes over and over. */
  private static final int SHELVES = 16;

  private final MemorySource source;
  private final Budget budget;

  /** Guarded by the monitor of this object, as is everything below. */
  private final Shelf[] shelves = new Shelf[SHELVES];

  /** In bytes. Written with the monitor, read by any thread. */
  private volatile long kept;

  /** Number of pushes and pops so far. */
  private long uses;

  /** Whether the housekeeper trims, once a second until nothing is kept. */
  private boolean isTended;

  private final Trimming trimming = new Trimming();

  KeptMemory(MemorySource source, Budget budget) {
    this.source = source;
    this.budget = budget;
    for (int i = 0; i < SHELVES; i++) {
      shelves[i] = new Shelf();
    }
  }

  private boolean isToBeKept(long byteSize) {
    return KEEPS && byteSize >= source.smallestKept() && byteSize <= LARGEST;
  }

  long kept() {
    return kept;
  }

  /** Returns the bytes that are handed out: exact, because both counts are read at one instant. */
  synchronized long handedOut() {
    return budget.taken() - kept;
  }

  /** Takes kept memory and zeroes it; returns its address, or 0 if there is none of that size. */
  long takeZeroed(long byteSize) {
    long address = isToBeKept(byteSize) ? take(byteSize) : 0;
    for (long done = 0; address != 0 && done < byteSize; done += STEP) {
      NativeMemory.zeroBulk(address + done, Math.min(STEP, byteSize - done));
    }
    return address;
  }

  private synchronized long take(long byteSize) {
    Shelf shelf = find(byteSize);
    if (shelf == null || shelf.count == 0) {
      return 0;
    }
    long address = shelf.pop(++uses);
    kept -= byteSize;
    return address;
  }

  /** Keeps the memory of blocks that the caller is freeing, as far as it is to be kept. */
  void keep(List<Block> blocks) {
    for (Block block : blocks) {
      if (isToBeKept(block.byteSize)) {
        keepAll(blocks);
        return;
      }
    }
  }

  /** Takes the monitor once for all: threads that allocate need it, too. */
  private synchronized void keepAll(List<Block> blocks) {
    if (!isTended) {
      Housekeeper.add(trimming);
      isTended = true;
    }
    for (Block block : blocks) {
      Shelf shelf = isToBeKept(block.byteSize) ? findOrMake(block.byteSize) : null;
      if (shelf != null) {
        shelf.push(block.address, ++uses);
        kept += block.byteSize;
        block.kept = true;
      }
    }
  }

  private @Nullable Shelf find(long byteSize) {
    for (Shelf shelf : shelves) {
      if (shelf.byteSize == byteSize) {
        return shelf;
      }
    }
    return null;
  }

  /** Returns the shelf of that size, else an empty one, set to that size; null if none is empty. */
  private @Nullable Shelf findOrMake(long byteSize) {
    Shelf found = find(byteSize);
    for (int i = 0; found == null && i < SHELVES; i++) {
      if (shelves[i].count == 0) {
        found = shelves[i];
        found.byteSize = byteSize;
      }
    }
    return found;
  }

  /** Frees and credits a kept block of the least recently used size; returns false without one. */
  synchronized boolean tryGiveUpOne() {
    Shelf oldest = null;
    for (Shelf shelf : shelves) {
      if (shelf.count > 0 && (oldest == null || shelf.lastUse < oldest.lastUse)) {
        oldest = shelf;
      }
    }
    return oldest != null && tryGiveUpOne(oldest);
  }

  private synchronized boolean tryGiveUpOne(Shelf shelf) {
    if (shelf.count == 0) {
      return false;
    }
    long address = shelf.pop(shelf.lastUse);
    kept -= shelf.byteSize;
    source.free(address, shelf.byteSize);
    budget.credit(shelf.byteSize);
    return true;
  }

  /**
   * Frees a quarter of the blocks that were not taken since the last call. A program whose garbage
   * is collected every few seconds finds most blocks again; an idle program soon keeps next to
   * none. The monitor is held for one block at a time, so that no thread waits for more.
   */
  void trim() {
    for (Shelf shelf : shelves) {
      for (int n = Math.ceilDiv(idle(shelf), 4); n > 0 && tryGiveUpOne(shelf); n--) {}
    }
  }

  /** Returns the number of blocks that stayed on the shelf since the last call. */
  private synchronized int idle(Shelf shelf) {
    int idle = shelf.lowest;
    shelf.lowest = shelf.count;
    if (shelf.count == 0) {
      shelf.addresses = Shelf.NONE;
    }
    return idle;
  }

  private synchronized boolean continueTending() {
    isTended = kept > 0;
    return isTended;
  }

  /** Keeps the kept memory reachable until the last of it is given up. */
  private final class Trimming implements Housekeeper.Upkeep {
    @Override
    public boolean getAsBoolean() {
      trim();
      return continueTending();
    }

    @Override
    public void freeAll() {
      while (tryGiveUpOne()) {}
    }
  }

  /** For tests that call {@link #trim} by hand: the housekeeper does nothing. */
  synchronized void tendByHand() {
    isTended = true;
  }

  synchronized void checkInvariants() {
    long sum = 0;
    for (Shelf shelf : shelves) {
      sum += shelf.byteSize * shelf.count;
      if (Arrays.stream(shelf.addresses, 0, shelf.count).distinct().count() != shelf.count) {
        throw new AssertionError("A block of " + shelf.byteSize + " bytes is kept twice");
      }
    }
    if (sum != kept || kept > budget.taken() || budget.taken() > budget.limit()) {
      throw new AssertionError("on shelves " + sum + ", kept " + kept + ", " + budget.taken());
    }
  }

  /**
   * Kept blocks of one size, in LIFO order: the last block is most likely in the processor's
   * caches. Guarded by the monitor of the {@link KeptMemory}.
   */
  private static final class Shelf {
    private static final int FIRST_LENGTH = 16;
    private static final long[] NONE = {};

    long[] addresses = NONE;
    int count;

    /** The size of each block; 0 at first. */
    long byteSize;

    /** The {@code use} of the last push or pop. */
    long lastUse;

    /** The smallest {@link #count} since the last call of {@link KeptMemory#idle}. */
    int lowest;

    void push(long address, long use) {
      if (count == addresses.length) {
        addresses = Arrays.copyOf(addresses, Math.max(FIRST_LENGTH, 2 * count));
      }
      addresses[count] = address;
      count++;
      lastUse = use;
    }

    long pop(long use) {
      count--;
      lowest = Math.min(lowest, count);
      lastUse = use;
      return addresses[count];
    }
  }
}
