package dev.rockpool.direct;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Setting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

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
 * stays in use in the {@link Budget}, so keeping and taking do not change the budget.
 */
final class KeptMemory implements Housekeeper.Upkeep {
  static final long LARGEST = 4 << 20;

  /** Most bytes zeroed at once: no safepoint can start before the call that zeroes has ended. */
  private static final long STEP = 1 << 20;

  /** Off with checks: a malloc checker must see that freed blocks are free. */
  private static final boolean KEEPS = !Setting.isCheckOn();

  private final MemorySource source;
  private final Budget budget;

  /** By size, the least recently used first. Guarded by the monitor, as is everything below. */
  final LinkedHashMap<Long, Shelf> shelves = new LinkedHashMap<>(16, 0.75f, true);

  /** In bytes. Written with the monitor, read by any thread. */
  volatile long kept;

  /** Whether the housekeeper trims, once a second until nothing is kept; or a test does. */
  boolean isTended;

  KeptMemory(MemorySource source, Budget budget) {
    this.source = source;
    this.budget = budget;
  }

  private boolean isToBeKept(long byteSize) {
    return KEEPS && byteSize >= source.smallestKept() && byteSize <= LARGEST;
  }

  /** Returns the bytes that are handed out: exact, because both counts are read at one instant. */
  synchronized long handedOut() {
    return budget.inUse() - kept;
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
    Shelf shelf = shelves.get(byteSize);
    return shelf == null ? 0 : remove(shelf);
  }

  /** Keeps memory that the caller is freeing; returns false if the caller is to free it. */
  boolean tryKeep(long address, long byteSize) {
    if (!isToBeKept(byteSize)) {
      return false;
    }
    try {
      keep(address, byteSize);
      return true;
    } catch (OutOfMemoryError noHeap) {
      return false;
    }
  }

  private synchronized void keep(long address, long byteSize) {
    if (!isTended) {
      Housekeeper.add(this);
      isTended = true;
    }
    Shelf shelf = shelves.get(byteSize);
    if (shelf == null) {
      shelf = new Shelf(byteSize);
      shelves.put(byteSize, shelf);
    }
    shelf.addresses.push(address);
    kept += byteSize;
  }

  /** Frees and releases kept memory of the least recently used size; returns false without any. */
  synchronized boolean tryGiveUpOne() {
    return !shelves.isEmpty() && tryGiveUpOne(shelves.firstEntry().getValue());
  }

  private synchronized boolean tryGiveUpOne(Shelf shelf) {
    long address = remove(shelf);
    if (address == 0) {
      return false;
    }
    source.free(address, shelf.byteSize);
    budget.release(shelf.byteSize);
    return true;
  }

  /** Removes the last address of a shelf, and an empty shelf; returns 0 if there was none. */
  private synchronized long remove(Shelf shelf) {
    Long address = shelf.addresses.poll();
    kept -= address == null ? 0 : shelf.byteSize;
    shelf.lowest = Math.min(shelf.lowest, shelf.addresses.size());
    if (shelf.addresses.isEmpty()) {
      shelves.remove(shelf.byteSize, shelf);
    }
    return address == null ? 0 : address;
  }

  /**
   * Frees a quarter of what was not taken since the last call. A program whose garbage is collected
   * every few seconds finds most memory again; an idle program soon keeps next to none. The monitor
   * is held for one block at a time, so that no thread waits for more.
   */
  void trim() {
    for (Shelf shelf : all()) {
      for (int n = Math.ceilDiv(idle(shelf), 4); n > 0 && tryGiveUpOne(shelf); n--) {}
    }
  }

  private synchronized List<Shelf> all() {
    return new ArrayList<>(shelves.values());
  }

  /** Returns the number of blocks that stayed on the shelf since the last call. */
  private synchronized int idle(Shelf shelf) {
    int idle = shelf.lowest;
    shelf.lowest = shelf.addresses.size();
    return idle;
  }

  @Override
  public boolean getAsBoolean() {
    trim();
    return continueTending();
  }

  private synchronized boolean continueTending() {
    isTended = kept > 0;
    return isTended;
  }

  @Override
  public void freeAll() {
    while (tryGiveUpOne()) {}
  }

  /** Kept memory of one size. Guarded by the monitor of the {@link KeptMemory}. */
  static final class Shelf {
    final long byteSize;

    /** In LIFO order: what was freed last is most likely in the processor's caches. */
    final ArrayDeque<Long> addresses = new ArrayDeque<>();

    /** The smallest number of addresses since the last call of {@link KeptMemory#idle}. */
    int lowest;

    Shelf(long byteSize) {
      this.byteSize = byteSize;
    }
  }
}
