package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A fixed set of slots for one slab each, which all threads share. One set has the slabs of virtual
 * threads, one those of young platform threads, and one has slabs larger than those of a thread.
 *
 * <p>A slot is claimed by CAS, and released by a store after its slab was zeroed. Only the claimant
 * accesses the slab and writes to the rest of the slot's line; {@link #trim} alone also keeps a
 * count there. Native memory is allocated at the first claim, and freed if the slot was not used
 * between two calls of {@link #trim}.
 *
 * <pre>
 *         claim: CAS, acquires                               allocate, if it has no slab yet
 *   free ----------------------&gt; owned, by one arena or by trim
 *    ^   &lt;----------------------   |
 *    |    release: slab zeroed     |  stack or heap ended in the arena's close;
 *    |    or gone, then a          v  or the JDK refused to close a linker's
 *    |    releasing store       abandoned
 *    |                             |  trim, at its second look: frees the slab,
 *    '-----------------------------'  then a releasing store
 * </pre>
 *
 * Invariant: each slot is free, owned or abandoned, and the slab of a free slot is all zeroes.
 *
 * <p>An arena abandons its slot where no call has stack left, hence by plain stores into {@code
 * abandonedBy} and {@code lines}. The arena may still be open then, if the JDK's close was cut off,
 * and its slab is kept until the scope is closed. A scope that becomes unreachable while open frees
 * only slabs of native calls: a program may have kept an address, and the JDK never frees the
 * memory of a confined arena that was not closed. The second look of {@link #trim} comes a second
 * after the first, when all earlier accesses have reached memory.
 *
 * <p>Lines are in the Java heap, so that native code that writes past its segment can't hit them.
 * Lines are two cache lines long, because processors fetch cache lines in pairs.
 *
 * <p>A record, because C2 trusts the final fields of records.
 *
 * @param slabByteSize bytes in a slab
 * @param slots number of slots, a power of two; or 0 for a set without slabs
 * @param lines {@code LINE} elements for each slot
 * @param abandonedBy for each abandoned slot the arena of its scope, or CLOSED_ARENA, written by a
 *     plain store; if the arena is open, some looks later a weak reference to the scope
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record SharedSlabs(int slabByteSize, int slots, long[] lines, @Nullable Object[] abandonedBy) {
  static final int NONE = -1;

  /** In {@code abandonedBy}, instead of an arena that is known to be closed. */
  static final Object CLOSED_ARENA = new Object();

  /** Number of elements of a line; the indices of the elements follow. */
  static final int LINE = 16;

  static final int CLAIM = 0;
  static final int ADDRESS = 1;
  private static final int ALLOCATION = 2;
  private static final int USES = 3;
  private static final int USES_NOT_SERVED = 4;
  private static final int USES_AT_LAST_LOOK = 5;
  private static final int OUTGROWN = 6;
  private static final int SERVED_ON_VIRTUAL = 7;

  private static final long FREE = 0;
  private static final long OWNED = 1;
  static final long ABANDONED = 2;

  /** Instead of a number of uses: the slot was abandoned. */
  private static final long NO_USES = -1;

  /** Slots to try; beyond, the fallback is faster. */
  static final int TRIES = 2;

  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  static SharedSlabs of(int slabByteSize, int slots) {
    return new SharedSlabs(slabByteSize, slots, new long[slots * LINE], new Object[slots]);
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
    add(unused.lines, USES, 1);
  }

  /** Adds to an element that other threads may be adding to. */
  static void add(long[] lines, int at, long addend) {
    ELEMENT.getAndAdd(lines, at, addend);
  }

  @ForceInline
  int acquire(long hint) {
    return acquire(hint, 0);
  }

  /**
   * Makes a slot owned, and gives the slot a slab if it has none. Nothing is called from the claim
   * to the {@code try}, nor may anything be called until the arena has noted the slot: if the stack
   * ended there, nobody would know of the slot.
   *
   * @param hint spreads threads over the slots: the id of the thread, or of its carrier
   * @param outgrown bytes that the arena has used of the slabs it outgrew, kept with the slot
   * @return the slot, or {@link #NONE} if the slots for this hint are owned, or memory runs out
   */
  @ForceInline
  int acquire(long hint, int outgrown) {
    int slot = claimNear(hint);
    if (slot == NONE) {
      return NONE;
    }
    if (lines[slot * LINE + ADDRESS] == 0) {
      boolean hasSlab = false;
      try {
        hasSlab = allocate(slot);
      } finally {
        if (!hasSlab) {
          // Plain, because a call may overflow. A claimant that misses an allocation makes another.
          lines[slot * LINE + CLAIM] = FREE;
        }
      }
      if (!hasSlab) {
        return NONE;
      }
    }
    lines[slot * LINE + OUTGROWN] = outgrown;
    return slot;
  }

  @ForceInline
  private int claimNear(long hint) {
    if (slots == 0) {
      return NONE;
    }
    int slot = (int) hint & (slots - 1);
    return claim(slot) ? slot : claimNext(slot);
  }

  /** Reads before the CAS, because a contended CAS that fails costs more than the fallback. */
  @ForceInline
  private boolean claim(int slot) {
    int claim = slot * LINE + CLAIM;
    return (long) ELEMENT.getOpaque(lines, claim) == FREE
        && ELEMENT.compareAndSet(lines, claim, FREE, OWNED);
  }

  private int claimNext(int after) {
    for (int i = 1; i < TRIES; i++) {
      int slot = (after + i) & (slots - 1);
      if (claim(slot)) {
        return slot;
      }
    }
    return NONE;
  }

  /** Gives a claimed slot its slab; returns false if memory runs out. */
  private boolean allocate(int slot) {
    Housekeeper.ensureRunning();
    int allocation = slot * LINE + ALLOCATION;
    if (lines[allocation] == 0) { // else the stack ended here before
      lines[allocation] = NativeMemory.allocateZeroed(allocationByteSize());
    }
    if (lines[allocation] == 0) {
      return false;
    }
    lines[slot * LINE + ADDRESS] = ThreadSlabs.aligned(lines[allocation]);
    return true;
  }

  private long allocationByteSize() {
    return ThreadSlabs.byteSize(slabByteSize, 1);
  }

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
        "A slot must be released once, by the arena that acquired it: released="
            + slot
            + ", slots="
            + slots
            + ", owned="
            + owned());
  }

  /** Counts an arena, beside {@link #release}, in a set that all kinds of threads share. */
  void countOnVirtualThread(int slot, int served) {
    lines[slot * LINE + SERVED_ON_VIRTUAL] += served;
  }

  /** Returns what {@link #acquire(long, int)} kept with an owned slot. */
  int outgrownByteSize(int slot) {
    return (int) lines[slot * LINE + OUTGROWN];
  }

  /**
   * Frees the memory of each slot that was not used since the last call, or was abandoned before
   * it. Only one thread may call this.
   */
  void trim() {
    for (int slot = 0; slot < slots; slot++) {
      boolean isAbandoned = isAbandoned(slot); // asked once: what is abandoned now has to wait
      long uses = isAbandoned ? NO_USES : getOpaque(slot, USES);
      boolean isUnused = uses == lines[slot * LINE + USES_AT_LAST_LOOK];
      if (isUnused) {
        freeIfUnowned(slot, isAbandoned);
      }
      lines[slot * LINE + USES_AT_LAST_LOOK] = isUnused ? getOpaque(slot, USES) : uses;
    }
  }

  void freeAll() {
    for (int slot = 0; slot < slots; slot++) {
      freeIfUnowned(slot, isAbandoned(slot));
    }
  }

  private void freeIfUnowned(int slot, boolean isAbandoned) {
    if (getOpaque(slot, ALLOCATION) == 0 || !(isAbandoned || claim(slot))) {
      return;
    }
    long allocation = lines[slot * LINE + ALLOCATION];
    lines[slot * LINE + ADDRESS] = 0;
    lines[slot * LINE + ALLOCATION] = 0;
    abandonedBy[slot] = null;
    if (allocation != 0) { // else it was freed meanwhile
      NativeMemory.free(allocation);
    }
    setFree(slot);
  }

  private boolean isAbandoned(int slot) {
    return getOpaque(slot, CLAIM) == ABANDONED && isUnused(abandonedBy, slot);
  }

  /** Whether a slab is abandoned, and its memory unused. Only one thread may call this. */
  static boolean isUnused(@Nullable Object[] abandonedBy, int index) {
    Object by = abandonedBy[index];
    if (CLOSED_ARENA.equals(by)) {
      return true;
    }
    if (by instanceof CallArenas.CallArena arena) {
      return !arena.scope().isAlive() || forget(abandonedBy, index, arena);
    }
    if (by instanceof Arena arena) {
      return !arena.scope().isAlive() || hold(abandonedBy, index, arena);
    }
    if (by instanceof Held held) {
      return !held.arena.scope().isAlive()
          || (--held.looks == 0 && forget(abandonedBy, index, held.arena));
    }
    if (!(by instanceof WeakReference<?> weak)) {
      return false;
    }
    return weak.get() instanceof MemorySegment.Scope scope
        ? !scope.isAlive()
        : weak instanceof ScopeOfCall;
  }

  /**
   * An open arena whose close was cut off. The program may close it once more, and drop it at once.
   * A weak reference that is cleared then would not tell that it was closed.
   */
  private static final class Held {
    private final Arena arena;

    /** Looks until the arena is forgotten. */
    private int looks = 60;

    Held(Arena arena) {
      this.arena = arena;
    }
  }

  /** Keeps an arena of a program for a while. Returns false: the scope is open yet. */
  private static boolean hold(@Nullable Object[] abandonedBy, int index, Arena arena) {
    try {
      abandonedBy[index] = new Held(arena);
    } catch (OutOfMemoryError full) {
      return false; // at the next look, perhaps
    }
    return false;
  }

  /** Keeps no thread reachable, as the arena would. Returns false: the scope is open yet. */
  private static boolean forget(@Nullable Object[] abandonedBy, int index, Arena arena) {
    try {
      MemorySegment.Scope scope = arena.scope();
      abandonedBy[index] =
          arena instanceof CallArenas.CallArena
              ? new ScopeOfCall(scope)
              : new WeakReference<>(scope);
    } catch (OutOfMemoryError full) {
      return false; // at the next look, perhaps
    }
    return false;
  }

  /** The scope of a native call, which no code but the linker's could have kept an address of. */
  private static final class ScopeOfCall extends WeakReference<MemorySegment.Scope> {
    ScopeOfCall(MemorySegment.Scope scope) {
      super(scope);
    }
  }

  private long getOpaque(int slot, int element) {
    return (long) ELEMENT.getOpaque(lines, slot * LINE + element);
  }

  /** Returns the number of closed arenas that were served from here. */
  long served() {
    return sum(USES) - sum(USES_NOT_SERVED);
  }

  /** Returns the sum of {@link #countOnVirtualThread}. */
  long servedOnVirtualThreads() {
    return sum(SERVED_ON_VIRTUAL);
  }

  /** Returns the number of owned or abandoned slots; exact while no thread is at work. */
  int owned() {
    return countOthers(CLAIM, FREE);
  }

  /** Returns the size of the native memory of all slots, in bytes. */
  long byteSize() {
    return countOthers(ALLOCATION, 0) * allocationByteSize();
  }

  /** Returns the number of slots with another value than that in an element. */
  private int countOthers(int element, long value) {
    int others = 0;
    for (int slot = 0; slot < slots; slot++) {
      others += getOpaque(slot, element) != value ? 1 : 0;
    }
    return others;
  }

  private long sum(int element) {
    long sum = 0;
    for (int slot = 0; slot < slots; slot++) {
      sum += getOpaque(slot, element);
    }
    return sum;
  }

  /** Checks the class's invariant; call while no thread is at work. */
  void checkInvariants() {
    for (int slot = 0; slot < slots; slot++) {
      long claim = getOpaque(slot, CLAIM);
      if (claim != FREE && claim != OWNED && claim != ABANDONED) {
        throw new AssertionError("slot " + slot + " is in no known state: " + claim);
      }
      long address = getOpaque(slot, ADDRESS);
      if (claim == FREE && address != 0) {
        NativeMemory.checkZero(address, slabByteSize, "free slot " + slot);
      }
    }
  }
}
