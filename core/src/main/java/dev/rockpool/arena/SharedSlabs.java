package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A fixed set of slots for one slab each, which all threads share. One set has the slabs of virtual
 * threads, another has slabs larger than those of a thread.
 *
 * <p>A slot is claimed by CAS, and released by a store after its slab was zeroed. Only the claimant
 * accesses the slab and writes to the rest of the slot's line; {@link #trim} alone also keeps a
 * count there. Native memory is allocated at the first claim, and freed if the slot was not used
 * between two calls of {@link #trim}.
 *
 * <pre>
 *         claim: CAS, acquires                               allocate, if it has no slab yet
 *   free ----------------------&gt; owned, by one arena or by trim
 *        &lt;----------------------
 *         release: slab zeroed or gone, then a releasing store
 * </pre>
 *
 * Invariant: free slots plus owned slots make {@code slots}, and the slab of a free slot is all
 * zeroes.
 *
 * <p>Lines are in the Java heap, so that native code that writes past its segment can't hit them.
 * Lines are two cache lines long, because processors fetch cache lines in pairs.
 *
 * <p>A record, because C2 trusts the final fields of records.
 *
 * @param slabByteSize bytes in a slab
 * @param slots number of slots, a power of two; or 0 for a set without slabs
 * @param lines {@code LINE} elements for each slot
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record SharedSlabs(int slabByteSize, int slots, long[] lines) {
  /** No slot. */
  static final int NONE = -1;

  /** Number of elements of a line; the indices of the elements follow. */
  private static final int LINE = 16;

  private static final int CLAIM = 0;
  private static final int ADDRESS = 1;
  private static final int ALLOCATION = 2;
  private static final int USES = 3;
  private static final int USES_NOT_SERVED = 4;
  private static final int USES_AT_LAST_LOOK = 5;
  private static final int OUTGROWN = 6;

  private static final long FREE = 0;
  private static final long OWNED = 1;

  /** Slots to try; beyond, the fallback is faster. */
  static final int TRIES = 2;

  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  static SharedSlabs of(int slabByteSize, int slots) {
    return new SharedSlabs(slabByteSize, slots, new long[slots * LINE]);
  }

  /**
   * Has the JVM link what the methods call, with a slot nobody uses: a full heap would end the
   * first arena's close, and the slot would stay owned.
   */
  static void linkAll() {
    SharedSlabs unused = of(NativeMemory.CACHE_LINE, 1);
    if (unused.claim(0)) {
      unused.release(0, 1);
    }
  }

  /**
   * Makes a slot owned, and gives the slot a slab if it has none.
   *
   * @param hint spreads threads over the slots: the id of the thread, or of its carrier
   * @return the slot, or {@link #NONE} if the slots for this hint are owned, or memory runs out
   */
  @ForceInline
  int acquire(long hint) {
    if (slots == 0) {
      return NONE;
    }
    int slot = (int) hint & (slots - 1);
    if (!claim(slot)) {
      return acquireNext(slot);
    }
    return lines[slot * LINE + ADDRESS] != 0 ? slot : allocate(slot);
  }

  /** Reads before the CAS, because a contended CAS that fails costs more than the fallback. */
  @ForceInline
  private boolean claim(int slot) {
    int claim = slot * LINE + CLAIM;
    return (long) ELEMENT.getOpaque(lines, claim) == FREE
        && ELEMENT.compareAndSet(lines, claim, FREE, OWNED);
  }

  private int acquireNext(int after) {
    for (int i = 1; i < TRIES; i++) {
      int slot = (after + i) & (slots - 1);
      if (claim(slot)) {
        return lines[slot * LINE + ADDRESS] != 0 ? slot : allocate(slot);
      }
    }
    return NONE;
  }

  /** Gives an owned slot its slab; if memory runs out, frees the slot. */
  private int allocate(int slot) {
    long allocation = 0;
    try {
      Housekeeper.ensureRunning();
      allocation = NativeMemory.allocateZeroed(allocationByteSize());
    } finally {
      if (allocation == 0) {
        setFree(slot);
      }
    }
    if (allocation == 0) {
      return NONE;
    }
    lines[slot * LINE + ALLOCATION] = allocation;
    lines[slot * LINE + ADDRESS] = ThreadSlabs.aligned(allocation);
    return slot;
  }

  private long allocationByteSize() {
    return ThreadSlabs.byteSize(slabByteSize, 1);
  }

  /** Returns the start of an owned slot's slab. */
  @ForceInline
  long address(int slot) {
    return lines[slot * LINE + ADDRESS];
  }

  /**
   * Makes an owned slot free. The caller has zeroed its slab.
   *
   * @param served number to add to the count of arenas, 0 or 1
   * @throws IllegalStateException if the slot is not owned; then nothing changes
   */
  @ForceInline
  void release(int slot, int served) {
    if (slot < 0 || slot >= slots || lines[slot * LINE + CLAIM] != OWNED) {
      throw notOwned(slot);
    }
    lines[slot * LINE + USES]++;
    if (served == 0) {
      lines[slot * LINE + USES_NOT_SERVED]++;
    }
    setFree(slot);
  }

  @ForceInline
  private void setFree(int slot) {
    ELEMENT.setRelease(lines, slot * LINE + CLAIM, FREE);
  }

  private IllegalStateException notOwned(int slot) {
    return new IllegalStateException(
        "A slot is released once, by the arena that acquired it: released="
            + slot
            + ", slots="
            + slots
            + ", owned="
            + owned());
  }

  /** Keeps with an owned slot the bytes that its arena had used of the slabs it outgrew. */
  void setOutgrownByteSize(int slot, int byteSize) {
    lines[slot * LINE + OUTGROWN] = byteSize;
  }

  int outgrownByteSize(int slot) {
    return (int) lines[slot * LINE + OUTGROWN];
  }

  /** Frees the memory of each slot not used since the last call. Only one thread may call this. */
  void trim() {
    for (int slot = 0; slot < slots; slot++) {
      long uses = getOpaque(slot, USES);
      if (uses == lines[slot * LINE + USES_AT_LAST_LOOK]) {
        freeIfUnowned(slot);
      }
      lines[slot * LINE + USES_AT_LAST_LOOK] = uses;
    }
  }

  /** Frees the memory of all slots that are not owned. */
  void freeAll() {
    for (int slot = 0; slot < slots; slot++) {
      freeIfUnowned(slot);
    }
  }

  private void freeIfUnowned(int slot) {
    if (getOpaque(slot, ADDRESS) == 0 || !claim(slot)) {
      return;
    }
    long allocation = lines[slot * LINE + ALLOCATION];
    lines[slot * LINE + ADDRESS] = 0;
    lines[slot * LINE + ALLOCATION] = 0;
    if (allocation != 0) {
      NativeMemory.free(allocation);
    }
    setFree(slot);
  }

  private long getOpaque(int slot, int element) {
    return (long) ELEMENT.getOpaque(lines, slot * LINE + element);
  }

  /** Returns the number of closed arenas that were served from here. */
  long served() {
    return sum(USES) - sum(USES_NOT_SERVED);
  }

  /** Returns the number of owned slots; exact while no thread is at work. */
  int owned() {
    return (int) sum(CLAIM);
  }

  private long sum(int element) {
    long sum = 0;
    for (int slot = 0; slot < slots; slot++) {
      sum += getOpaque(slot, element);
    }
    return sum;
  }

  /** Returns the size of the native memory of all slots, in bytes. */
  long byteSize() {
    long slabs = 0;
    for (int slot = 0; slot < slots; slot++) {
      slabs += getOpaque(slot, ADDRESS) != 0 ? 1 : 0;
    }
    return slabs * allocationByteSize();
  }

  /** Checks the class's invariant; call while no thread is at work. */
  void checkInvariants() {
    for (int slot = 0; slot < slots; slot++) {
      long claim = getOpaque(slot, CLAIM);
      if (claim != FREE && claim != OWNED) {
        throw new AssertionError("slot " + slot + " is neither free nor owned: " + claim);
      }
      long address = getOpaque(slot, ADDRESS);
      if (claim == FREE && address != 0) {
        NativeMemory.checkZero(address, slabByteSize, "free slot " + slot);
      }
    }
  }
}
