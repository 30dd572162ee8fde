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
 * page fault, which takes several times as long as clearing a page that is there.
 *
 * <pre>
 *                allocateZeroed                    take: to be zeroed by whoever took it
 *   source  ----------------------&gt;  handed out  &lt;--------------------------------  kept
 *     ^  ^                              |    |                                       ^  |
 *     |  +-- free: not to be kept ------+    +-- free: of a size that is kept -------+  |
 *     +------------ given up: room is needed, or nobody wanted it for a while ---------+
 * </pre>
 *
 * <p>A block is put on its shelf by whoever frees it, which happens once ({@link Block#free}), and
 * handed out again by whoever takes it from there. Both have the monitor of this object, so it has
 * one owner at any instant.
 *
 * <p>What is handed out and what is kept stay within the limit together: whoever wants more of the
 * source has reserved it, and then gives up blocks until {@code reserved + kept <= limit} ({@link
 * #makeRoom}). What is kept counts before it is credited, and until it is given back. So a block
 * that such a thread does not see among those that are kept is reserved as long as it looks.
 *
 * <p>The stack may end in any call: so there is none between a change to a shelf and that to the
 * count of what is kept. And nothing here throws after a block has got another owner, or was given
 * back: so a caller who sees an error still has what it had.
 */
final class KeptMemory {
  /**
   * The C library keeps smaller ones as quickly, but gives larger ones back to the system where the
   * collector frees many at once.
   */
  static final long SMALLEST = 1 << 10;

  static final long LARGEST = 4 << 20;

  /** From here on it pays to ask which pages are to be zeroed. */
  private static final long ASKS_FROM = 64 << 10;

  /** Off with checks: a malloc checker must see that freed blocks are free. */
  private static final boolean KEEPS = !SwitchSetting.CHECK.isOn();

  /** Different sizes that are kept at once. A program has few that it asks for over and over. */
  private static final int SHELVES = 16;

  private final MemorySource source;
  private final Budget budget;

  /** Guarded by the monitor of this object, as is everything below. */
  private final Shelf[] shelves = new Shelf[SHELVES];

  /** In bytes. Written with the monitor, read by everybody. */
  private volatile long kept;

  /** Number of pushes and pops so far. */
  private long uses;

  /** The upkeep by the housekeeper, or null. Written with the monitor. */
  private volatile @Nullable Trimming trimming;

  /**
   * With nothing kept.
   *
   * @param budget from which is reserved what is allocated here
   */
  KeptMemory(MemorySource source, Budget budget) {
    this.source = source;
    this.budget = budget;
    for (int i = 0; i < SHELVES; i++) {
      shelves[i] = new Shelf();
    }
  }

  /** Loads what a thread needs that frees a block, see {@link Reclaimer#initialize}. */
  static void initialize() {
    Objects.requireNonNull(Trimming.class);
  }

  /**
   * Whether blocks of that size are kept. Large blocks are not, where nobody tells their touched
   * pages, because clearing would touch all of them.
   */
  private static boolean isToBeKept(long byteSize) {
    return KEEPS
        && byteSize >= SMALLEST
        && byteSize <= LARGEST
        && (byteSize < MemorySource.PAGES_FROM || TouchedPages.areKnown());
  }

  /** Bytes on the shelves. */
  long kept() {
    return kept;
  }

  /**
   * Takes a block that is kept, with old bytes in it.
   *
   * @return its address, or 0 if there is none
   */
  long take(long byteSize) {
    return isToBeKept(byteSize) ? takeFromShelf(byteSize) : 0;
  }

  /** Zeroes a block that was taken. */
  static void zero(long address, long byteSize) {
    if (byteSize >= ASKS_FROM && TouchedPages.areKnown()) {
      TouchedPages.zero(address, byteSize);
    } else {
      NativeMemory.zeroPages(address, byteSize);
    }
  }

  /**
   * Allocates a block from the source, zeroed.
   *
   * @return its address, or 0 if there is no memory
   */
  long allocateZeroed(long byteSize) {
    makeRoom();
    long address = source.allocateZeroed(byteSize);
    while (address == 0 && givesUp(null, false)) {
      address = source.allocateZeroed(byteSize);
    }
    return address;
  }

  /** Takes a block over, from either of these two. */
  void free(long address, long byteSize) {
    if (!isToBeKept(byteSize) || !isTended() || !keep(address, byteSize)) {
      tell(byteSize, giveBack(address, byteSize));
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

  /** Returns false if the shelves have no room, or nobody trims them any more. */
  private synchronized boolean keep(long address, long byteSize) {
    Shelf shelf = findOrMake(byteSize);
    if (trimming == null || shelf == null || !shelf.push(address, ++uses)) {
      return false;
    }
    kept += byteSize;
    return true;
  }

  /**
   * Makes sure that somebody trims the shelves; returns false if nobody can. Where the housekeeper
   * has no thread, the {@link Reclaimer} starts one later.
   */
  private boolean isTended() {
    if (trimming != null) {
      return true;
    }
    try {
      Trimming added = new Trimming();
      Housekeeper.add(added);
      begin(added);
      return true;
    } catch (Throwable notNow) {
      return false;
    }
  }

  /** The last upkeep that was added does the work; earlier ones end themselves. */
  private synchronized void begin(Trimming added) {
    trimming = added;
  }

  private @Nullable Shelf find(long byteSize) {
    for (Shelf shelf : shelves) {
      if (shelf.byteSize() == byteSize) {
        return shelf;
      }
    }
    return null;
  }

  /** Finds the shelf of that size, or gives an empty shelf that size; null if there is none. */
  private @Nullable Shelf findOrMake(long byteSize) {
    Shelf found = find(byteSize);
    for (int i = 0; found == null && i < SHELVES; i++) {
      if (shelves[i].isEmpty()) {
        found = shelves[i];
        found.setByteSize(byteSize);
      }
    }
    return found;
  }

  /** Frees kept blocks until {@code reserved + kept <= limit}. Call before allocating. */
  void makeRoom() {
    while (kept > 0 && givesUp(null, true)) {}
  }

  /**
   * Call with the monitor: between two reads without it a block could be kept and credited, or
   * reserved and taken, and would be in neither figure.
   */
  private boolean isInTheWay() {
    return kept > budget.limit() - budget.reserved();
  }

  /**
   * Gives up a block.
   *
   * @param of the size, or null for the one that was in use least recently
   * @param ifInTheWay only if something still is
   * @return whether there was one
   */
  private boolean givesUp(@Nullable Shelf of, boolean ifInTheWay) {
    long byteSize;
    Throwable refusal;
    synchronized (this) {
      Shelf shelf = of == null ? leastRecentlyUsed() : of;
      if (shelf == null || shelf.isEmpty() || (ifInTheWay && !isInTheWay())) {
        return false;
      }
      byteSize = shelf.byteSize();
      refusal = giveBack(shelf.last(), byteSize);
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
      if (!shelf.isEmpty() && (oldest == null || shelf.lastUse() < oldest.lastUse())) {
        oldest = shelf;
      }
    }
    return oldest;
  }

  /**
   * Gives a block back to the source, for good: a source that refuses a block refuses it again.
   *
   * @return why it was refused, or null
   * @throws VirtualMachineError if the block was not given back, for lack of stack or heap
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

  /** Without the monitor: standard error may be the program's. */
  private static void tell(long byteSize, @Nullable Throwable refusal) {
    try {
      if (refusal != null) {
        Notices.print("Could not free " + byteSize + " bytes of direct memory: " + refusal);
      }
    } catch (Throwable untold) {
      // The block is gone all the same.
      return;
    }
  }

  /** Trims once a second until nothing is kept. Keeps this object reachable until then. */
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
   * Frees a quarter of the blocks that nobody took since the last call. A program whose garbage is
   * collected every few seconds finds most blocks again; an idle program soon keeps next to none.
   * Frees one block at a time, so that no thread waits for more than one.
   */
  void trim() {
    for (Shelf shelf : shelves) {
      for (int n = Math.ceilDiv(idle(shelf), 4); n > 0 && givesUp(shelf, false); n--) {}
    }
  }

  private synchronized int idle(Shelf shelf) {
    return shelf.idle();
  }

  private synchronized boolean goesOn(Trimming asked) {
    if (trimming != asked) {
      return false;
    }
    trimming = kept > 0 ? asked : null;
    return kept > 0;
  }

  /** Checks what the class comment promises; call while no thread is at work. */
  synchronized void checkInvariants() {
    long sum = 0;
    for (Shelf shelf : shelves) {
      shelf.checkNoneTwice();
      sum += shelf.byteSize() * shelf.count();
    }
    if (sum != kept || isInTheWay()) {
      throw new AssertionError("on shelves " + sum + ", kept " + kept + ", " + budget.reserved());
    }
  }

  /**
   * Kept blocks of one size. The last one to come is the first to go: the caches of the processor
   * know it best. Guarded by the monitor of its owner.
   */
  private static final class Shelf {
    private static final int FIRST_LENGTH = 16;

    private static final long[] NONE = {};

    private long[] addresses = NONE;

    /**
     * Its blocks. Whoever takes the last one to give it up counts it off here: no call may fail.
     */
    int count;

    private long byteSize;
    private long lastUse;

    /** The smallest {@link #count} since {@link #idle} was last asked. */
    int lowest;

    /** Size of each of its blocks; 0 at first. */
    long byteSize() {
      return byteSize;
    }

    /** Sets the size of the blocks; the shelf is empty. */
    void setByteSize(long newByteSize) {
      byteSize = newByteSize;
      lowest = 0;
    }

    int count() {
      return count;
    }

    boolean isEmpty() {
      return count == 0;
    }

    /** The {@code use} of the last push or pop. */
    long lastUse() {
      return lastUse;
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

    /** The address of the block that came last; the shelf is not empty. */
    long last() {
      return addresses[count - 1];
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

    /** Number of blocks that stayed on the shelf since the last call. */
    int idle() {
      int idle = lowest;
      lowest = count;
      if (count == 0) {
        addresses = NONE;
      }
      return idle;
    }

    void checkNoneTwice() {
      if (Arrays.stream(addresses, 0, count).distinct().count() != count) {
        throw new AssertionError("A block of " + byteSize + " bytes is kept twice");
      }
    }
  }
}
