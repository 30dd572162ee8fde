package dev.rockpool.direct;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Malloc;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.SwitchSetting;
import dev.rockpool.internal.TouchedPages;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps freed blocks for the next request of exactly their size. The system charges for memory that
 * is touched for the first time, a fault for each page, several times what clearing it costs.
 *
 * <pre>
 *                allocateZeroed                    take, then zeroed by whoever took it
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
 * that such a thread does not see among those that are kept was reserved when it looked.
 *
 * <p>The stack may end in any call: so there is none between a change to a shelf and that to the
 * count of what is kept, or the count is changed all the same.
 */
final class KeptMemory implements MemorySource {
  /** Smaller ones the C library keeps itself, and is as quick. */
  static final long SMALLEST = 4 << 10;

  static final long LARGEST = 4 << 20;

  /** From here on it pays to ask which pages are to be zeroed. */
  private static final long ASKS_FROM = 64 << 10;

  /** Else who checks memory from outside would not see that freed blocks are free. */
  private static final boolean KEEPS = !SwitchSetting.CHECK.isOn();

  /** Different sizes that are kept at once. A program has few that it asks for over and over. */
  private static final int SHELVES = 16;

  private final MemorySource source;
  private final Budget budget;

  /** Guarded by the monitor of this object, as is everything below. */
  private final Shelf[] shelves = new Shelf[SHELVES];

  /** In bytes. Written with the monitor, read by everybody. */
  private volatile long kept;

  /** Counts what is put on shelves and taken from them. */
  private long uses;

  /** Whether the housekeeper looks after this. */
  private boolean tended;

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

  /** Where nobody tells what was touched, a large block would be touched by clearing it. */
  private static boolean isToBeKept(long byteSize) {
    return KEEPS
        && byteSize >= SMALLEST
        && byteSize <= LARGEST
        && (byteSize < PAGES_FROM || TouchedPages.areKnown());
  }

  /** What nobody uses (in bytes). */
  long kept() {
    return kept;
  }

  @Override
  public long allocateZeroed(long byteSize) {
    long address = isToBeKept(byteSize) ? take(byteSize) : 0;
    if (address == 0) {
      return allocateFromSource(byteSize);
    }
    boolean zeroed = false;
    try {
      zero(address, byteSize);
      zeroed = true;
      return address;
    } finally {
      if (!zeroed) {
        giveBack(address, byteSize);
      }
    }
  }

  private static void zero(long address, long byteSize) {
    if (byteSize >= ASKS_FROM && TouchedPages.areKnown()) {
      TouchedPages.zero(address, byteSize);
    } else {
      Malloc.zero(address, byteSize);
    }
  }

  @Override
  public void free(long address, long byteSize) {
    if (!isToBeKept(byteSize) || !keep(address, byteSize)) {
      giveBack(address, byteSize);
    }
  }

  /** For tests: the housekeeper leaves it alone, {@link #trim} is called by hand. */
  synchronized void tendByHand() {
    tended = true;
  }

  private synchronized long take(long byteSize) {
    Shelf shelf = find(byteSize);
    if (shelf == null || shelf.isEmpty()) {
      return 0;
    }
    long address = shelf.pop(++uses);
    kept -= byteSize;
    return address;
  }

  private boolean keep(long address, long byteSize) {
    boolean isFirst;
    synchronized (this) {
      Shelf shelf = findOrMake(byteSize);
      if (shelf == null || !shelf.push(address, ++uses)) {
        return false;
      }
      kept += byteSize;
      isFirst = !tended;
      tended = true;
    }
    if (isFirst) {
      Housekeeper.add(new Trimming());
    }
    return true;
  }

  private @Nullable Shelf find(long byteSize) {
    for (Shelf shelf : shelves) {
      if (shelf.byteSize() == byteSize) {
        return shelf;
      }
    }
    return null;
  }

  /** An empty one may change its size; null if there is none. */
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

  private long allocateFromSource(long byteSize) {
    makeRoom();
    long address = source.allocateZeroed(byteSize);
    while (address == 0 && giveUpOne()) {
      address = source.allocateZeroed(byteSize);
    }
    return address;
  }

  /** Gives up what is in the way of what is reserved. To be called before that is allocated. */
  void makeRoom() {
    if (isInTheWay()) {
      giveUpWhatIsInTheWay();
    }
  }

  private boolean isInTheWay() {
    return kept > budget.limit() - budget.reserved();
  }

  private synchronized void giveUpWhatIsInTheWay() {
    while (isInTheWay() && giveUpOne()) {}
  }

  /** Gives up a block of the size that was in use least recently; says whether there was one. */
  private synchronized boolean giveUpOne() {
    Shelf oldest = null;
    for (Shelf shelf : shelves) {
      if (!shelf.isEmpty() && (oldest == null || shelf.lastUse() < oldest.lastUse())) {
        oldest = shelf;
      }
    }
    return oldest != null && giveUpOneOf(oldest);
  }

  private synchronized boolean giveUpOneOf(Shelf shelf) {
    if (shelf.isEmpty()) {
      return false;
    }
    long byteSize = shelf.byteSize();
    long address = shelf.pop(shelf.lastUse());
    try {
      giveBack(address, byteSize);
    } finally {
      kept -= byteSize;
    }
    return true;
  }

  private void giveBack(long address, long byteSize) {
    try {
      source.free(address, byteSize);
    } catch (Throwable failure) {
      Notices.print("Could not free " + byteSize + " bytes of direct memory: " + failure);
    }
  }

  /** Once a second, until nothing is kept. It keeps this reachable, though nobody else may. */
  private final class Trimming implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      trim();
      return goesOn();
    }
  }

  /**
   * Gives up a quarter of what nobody took since it was last called: a program whose garbage is
   * collected every few seconds finds most of it again, and one that is idle keeps next to nothing
   * after some. One at a time, so that nobody has to wait for more than that.
   */
  void trim() {
    for (Shelf shelf : shelves) {
      for (int n = Math.ceilDiv(idle(shelf), 4); n > 0 && giveUpOneOf(shelf); n--) {}
    }
  }

  private synchronized int idle(Shelf shelf) {
    return shelf.idle();
  }

  private synchronized boolean goesOn() {
    tended = kept > 0;
    return tended;
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
}
