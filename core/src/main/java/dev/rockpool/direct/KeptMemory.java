package dev.rockpool.direct;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.SwitchSetting;
import dev.rockpool.internal.TouchedPages;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps freed blocks for the next request of exactly their size. Each page of new memory costs a
 * page fault, which takes several times as long as clearing a mapped page.
 *
 * <pre>
 *                allocateZeroed                    take: the caller zeroes the block
 *   source  ----------------------&gt;  handed out  &lt;--------------------------------  kept
 *     ^  ^                              |    |                                       ^  |
 *     |  +-- free: not to be kept ------+    +-- free: of a size that is kept -------+  |
 *     +------------ given up: room is needed, or not taken for a while ----------------+
 * </pre>
 *
 * <p>The thread that frees a block, once ({@link Block#free}), puts the block on its shelf; the
 * thread that takes it from the shelf hands it out again. Both threads hold the monitor of this
 * object, so a block has one owner at any instant.
 *
 * <p>Memory from the source stays within the limit. A thread reserves bytes, gives up kept blocks
 * until {@code reserved + kept <= limit} ({@link #makeRoom}), and only then allocates. A block
 * counts as kept before its bytes are credited, and until the block is given back. Therefore a
 * block that is not among the kept ones is reserved while that thread looks.
 *
 * <p>The stack may end in any call, therefore no call stands between a change to a shelf and the
 * change to {@code kept}. No method throws after a block has got another owner or was given back,
 * therefore a caller that catches an error still owns its block.
 */
final class KeptMemory {
  /**
   * Smallest block that is kept. The C library reuses smaller blocks as quickly, but gives larger
   * ones back to the system when the collector frees many at once.
   */
  static final long SMALLEST = 1 << 10;

  static final long LARGEST = 4 << 20;

  /**
   * Smallest block for which asking for its touched pages costs less than zeroing all. Where new
   * memory is touched, asking would only find the pages of mapped blocks untouched.
   */
  private static final long ASKS_FROM =
      NativeMemory.touchesNew() ? MemorySource.PAGES_FROM : 64 << 10;

  /** Off with checks: a malloc checker must see that freed blocks are free. */
  private static final boolean KEEPS = !SwitchSetting.CHECK.isOn();

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

  /** The upkeep by the housekeeper, or null. Written with the monitor. */
  private volatile @Nullable Trimming trimming;

  KeptMemory(MemorySource source, Budget budget) {
    this.source = source;
    this.budget = budget;
    for (int i = 0; i < SHELVES; i++) {
      shelves[i] = new Shelf();
    }
  }

  /** Loads the classes that freeing a block needs, see {@link Reclaimer#initialize}. */
  static void initialize() {
    Objects.requireNonNull(Trimming.class);
  }

  /** Large blocks are kept only where clearing need not touch all of their pages. */
  private static boolean isToBeKept(long byteSize) {
    return KEEPS
        && byteSize >= SMALLEST
        && byteSize <= LARGEST
        && (byteSize < MemorySource.PAGES_FROM || TouchedPages.areKnown());
  }

  /** The blocks of the JDK's arenas have bytes, but no memory. */
  private static boolean isToBeKept(Block block) {
    return block.address != 0 && isToBeKept(block.byteSize());
  }

  long kept() {
    return kept;
  }

  /** Takes a kept block, with old bytes in it; returns its address, or 0 if there is none. */
  long take(long byteSize) {
    return isToBeKept(byteSize) ? takeFromShelf(byteSize) : 0;
  }

  /** Zeroes a block from {@link #take}. */
  static void zero(long address, long byteSize) {
    if (byteSize >= ASKS_FROM && TouchedPages.areKnown()) {
      TouchedPages.zero(address, byteSize);
    } else {
      NativeMemory.zeroBulk(address, byteSize);
    }
  }

  /** Allocates a block from the source, zeroed; returns its address, or 0 if there is no memory. */
  long allocateZeroed(long byteSize) {
    makeRoom();
    long address = source.allocateZeroed(byteSize);
    while (address == 0 && givesUp(null, false)) {
      address = source.allocateZeroed(byteSize);
    }
    return address;
  }

  /** Keeps or frees a block from {@link #take} or {@link #allocateZeroed}. */
  void free(long address, long byteSize) {
    if (!isToBeKept(byteSize) || !isTended() || !keep(address, byteSize)) {
      Throwable refusal = giveBack(address, byteSize);
      if (refusal != null) { // else no call follows, which the end of the stack could prevent
        tell(byteSize, refusal);
      }
    }
  }

  /** Keeps or frees the memory of blocks that the current thread has claimed. */
  void freeAll(Block from, @Nullable Block end) {
    boolean anyIsToBeKept = false;
    for (Block block = from; block != null && block != end; block = block.next) {
      anyIsToBeKept |= isToBeKept(block);
    }
    if (anyIsToBeKept && isTended()) {
      keepAll(from, end);
    }
    for (Block block = from; block != null && block != end; block = block.next) {
      if (block.address != 0) {
        free(block.address, block.byteSize());
        block.address = 0;
      }
    }
  }

  /** For tests that call {@link #trim} by hand: the housekeeper does nothing. */
  synchronized void tendByHand() {
    trimming = new Trimming();
  }

  private synchronized long takeFromShelf(long byteSize) {
    Shelf shelf = find(byteSize);
    if (shelf == null || shelf.isEmpty()) {
      return 0;
    }
    long address = shelf.pop(++uses);
    kept -= byteSize;
    return address;
  }

  /** Takes the monitor once, not for each block. */
  private synchronized void keepAll(Block from, @Nullable Block end) {
    for (Block block = from; block != null && block != end; block = block.next) {
      if (isToBeKept(block) && keep(block.address, block.byteSize())) {
        block.address = 0;
      }
    }
  }

  /** Returns false if the shelves have no room, or are not trimmed any more. */
  private synchronized boolean keep(long address, long byteSize) {
    Shelf shelf = findOrMake(byteSize);
    if (trimming == null || shelf == null || !shelf.push(address, ++uses)) {
      return false;
    }
    kept += byteSize;
    return true;
  }

  /**
   * Makes sure that the housekeeper trims the shelves; returns false if it can't. If the
   * housekeeper has no thread, the {@link Reclaimer} starts one later.
   */
  private boolean isTended() {
    if (trimming != null) {
      return true;
    }
    try {
      Trimming added = new Trimming();
      Housekeeper.add(added);
      synchronized (this) {
        trimming = added; // the last one does the work; earlier ones end themselves
      }
      return true;
    } catch (Throwable notNow) {
      return false;
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
      if (shelves[i].isEmpty()) {
        found = shelves[i];
        found.byteSize = byteSize;
        found.lowest = 0;
      }
    }
    return found;
  }

  /** Frees kept blocks until {@code reserved + kept <= limit}. Call before allocating. */
  void makeRoom() {
    while (kept > 0 && givesUp(null, true)) {}
  }

  /**
   * Returns whether {@code reserved + kept} exceeds the limit. Call with the monitor: between two
   * reads without the monitor, a block could be kept and credited, or reserved and taken, and be in
   * neither figure.
   */
  private boolean isInTheWay() {
    return kept > budget.limit() - budget.reserved();
  }

  /**
   * Gives up a block of a shelf, or of the least recently used one; returns whether there was one.
   *
   * @param ifInTheWay only if {@code reserved + kept} exceeds the limit
   */
  private boolean givesUp(@Nullable Shelf of, boolean ifInTheWay) {
    long byteSize;
    Throwable refusal;
    synchronized (this) {
      Shelf shelf = of == null ? leastRecentlyUsed() : of;
      if (shelf == null || shelf.isEmpty() || (ifInTheWay && !isInTheWay())) {
        return false;
      }
      byteSize = shelf.byteSize;
      refusal = giveBack(shelf.addresses[shelf.count - 1], byteSize);
      int left = shelf.count - 1;
      shelf.count = left;
      shelf.lowest = left < shelf.lowest ? left : shelf.lowest;
      kept -= byteSize;
    }
    tell(byteSize, refusal);
    return true;
  }

  private @Nullable Shelf leastRecentlyUsed() {
    Shelf oldest = null;
    for (Shelf shelf : shelves) {
      if (!shelf.isEmpty() && (oldest == null || shelf.lastUse < oldest.lastUse)) {
        oldest = shelf;
      }
    }
    return oldest;
  }

  /**
   * Frees a block, once: a source that refuses a block would refuse it again.
   *
   * @return the source's failure, or null
   * @throws VirtualMachineError if the block was not freed, for lack of stack or heap
   */
  private @Nullable Throwable giveBack(long address, long byteSize) {
    try {
      source.free(address, byteSize);
      return null;
    } catch (VirtualMachineError notNow) {
      throw notNow;
    } catch (Throwable failure) {
      return failure;
    }
  }

  /** Call without the monitor: standard error may be the program's. */
  private static void tell(long byteSize, @Nullable Throwable refusal) {
    try {
      if (refusal != null) {
        Notices.print("Could not free " + byteSize + " bytes of direct memory: " + refusal);
      }
    } catch (Throwable untold) {
      // The block is given up all the same.
      return;
    }
  }

  /** Trims once a second until nothing is kept. Keeps the kept memory reachable until then. */
  private final class Trimming implements Housekeeper.Upkeep {
    @Override
    public boolean getAsBoolean() {
      if (trimming == this) {
        trim();
      }
      return goesOn(this);
    }

    @Override
    public void freeAll() {
      while (givesUp(null, false)) {}
    }
  }

  /**
   * Frees a quarter of the blocks that were not taken since the last call. A program whose garbage
   * is collected every few seconds finds most blocks again; an idle program soon keeps next to
   * none. The monitor is held for one block at a time, so that no thread waits for more.
   */
  void trim() {
    for (Shelf shelf : shelves) {
      for (int n = Math.ceilDiv(idle(shelf), 4); n > 0 && givesUp(shelf, false); n--) {}
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

  private synchronized boolean goesOn(Trimming asked) {
    if (trimming != asked) {
      return false;
    }
    trimming = kept > 0 ? asked : null;
    return kept > 0;
  }

  /** Checks the promises of the class comment; call while no other thread uses this object. */
  synchronized void checkInvariants() {
    long sum = 0;
    for (Shelf shelf : shelves) {
      shelf.checkNoneTwice();
      sum += shelf.byteSize * shelf.count;
    }
    if (sum != kept || isInTheWay()) {
      throw new AssertionError("on shelves " + sum + ", kept " + kept + ", " + budget.reserved());
    }
  }

  /**
   * Kept blocks of one size, in LIFO order: the last block is most likely in the processor's
   * caches. Guarded by the monitor of the {@link KeptMemory}.
   */
  private static final class Shelf {
    private static final int FIRST_LENGTH = 16;

    private static final long[] NONE = {};

    private long[] addresses = NONE;

    /** Number of blocks. {@link KeptMemory#givesUp} writes it plainly, because a call may fail. */
    int count;

    /** The size of each block; 0 at first. */
    long byteSize;

    /** The {@code use} of the last push or pop. */
    long lastUse;

    /** The smallest {@link #count} since the last call of {@link KeptMemory#idle}. */
    int lowest;

    boolean isEmpty() {
      return count == 0;
    }

    /** Puts a block on the shelf; returns false if the heap has no room for its address. */
    boolean push(long address, long use) {
      if (count == addresses.length && !grows()) {
        return false;
      }
      addresses[count++] = address;
      lastUse = use;
      return true;
    }

    private boolean grows() {
      try {
        addresses = Arrays.copyOf(addresses, Math.max(FIRST_LENGTH, 2 * count));
        return true;
      } catch (OutOfMemoryError noRoom) {
        return false;
      }
    }

    /** Takes a block; the shelf is not empty. */
    long pop(long use) {
      long address = addresses[--count];
      if (count < lowest) { // not Math.min: no call where the stack might end
        lowest = count;
      }
      lastUse = use;
      return address;
    }

    void checkNoneTwice() {
      if (Arrays.stream(addresses, 0, count).distinct().count() != count) {
        throw new AssertionError("A block of " + byteSize + " bytes is kept twice");
      }
    }
  }
}
