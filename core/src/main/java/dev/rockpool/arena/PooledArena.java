package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Pooled;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena on slabs. A regular arena of the JDK provides lifetime and confinement. The
 * fallback, for allocations that do not fit, is an arena of the JDK with the same scope.
 *
 * <p>An arena is opened with one slab of its thread or carrier; if there is none, the first
 * allocation finds one. A virtual thread, or a young thread without slabs, may get a shared one.
 * When the slab is full, the arena extends it to a run of adjacent slabs. If the next slabs are not
 * free, the run is at its longest, or the virtual thread has changed its carrier, the arena moves
 * on to a larger, shared slab. A young thread gets no larger slab. The arena keeps all its slabs
 * until it is closed.
 *
 * <pre>
 *   open                      takes one slab, if the thread has one to spare
 *   allocate, allocateFrom
 *     ensureRoom              does it fit?
 *       makeRoom              find, then useRun, useShared, useLarger, or refuse
 *     taken                   it fits; else the fallback allocates
 *   close
 *     giveBack                one run           giveBackRun
 *       giveBackShared        a shared slab
 *       giveBackFirst         any other case    after giveBackLarger: one of the two above
 * </pre>
 *
 * <p>The methods are small, because in compiled code an arena that does not escape is never
 * created: its fields are registers. An arena escapes into each method that C2 does not inline, and
 * then is created each time, even if that method is rarely called. C2 inlines a method that is
 * called for less than every fourth arena only up to 35 bytecodes (MaxInlineSize). So rarely called
 * methods are no longer than that. Longer methods are static, and take the arena's values, not the
 * arena. {@code MethodSizesTest} checks the sizes.
 *
 * <p>Rare cases share one call, of {@code find}. C2 may compile a program's method soon after the
 * pool's start, when no profile tells yet which branches are rare. It then compiles all of them,
 * and several calls would be several times the code.
 *
 * <p>C2 also compiles a program's method alone that is handed an arena, and then inlines the method
 * only if its code is short: some three allocations. So an allocation takes no slab itself: opening
 * the arena has done so, or {@code find}, which is kept too long to be inlined.
 *
 * <p>The fast path decides only whether an allocation fits. A bad size or alignment does not fit,
 * and then the fallback throws. A closed arena or a foreign thread may seem to fit. So each segment
 * is made by {@code NativeMemory.confinedSegment}, which refuses both, and only then are its bytes
 * taken. Segments have the scope of {@code regular}, so the JDK checks on each access that the
 * arena is open and that the thread is its owner.
 *
 * <p>An escaping arena is 48 bytes; the fields below use all of them. One more field would make
 * more garbage than an arena of the JDK.
 *
 * <p>Any call may throw a StackOverflowError. So fields that belong together are written with no
 * call in between. A failure before these writes leaves the arena unchanged. Slabs are never lost:
 * see the constructor, {@link #takeMoreOf} and {@link #close}.
 *
 * <p>Only {@code owner} writes fields. A foreign thread may read them while it misuses the arena,
 * but whatever it reads leads to the fallback, which throws before anything is changed.
 */
sealed class PooledArena extends SlabFirstArena implements Pooled permits InlinedArena {
  /** More bytes than any slab has, to which padding can be added without overflow. */
  private static final int TOO_MUCH = 1 << 30;

  /** No allocation has used the fallback; otherwise one of the reasons below, the first one. */
  static final byte SERVED = 0;

  static final byte TOO_LARGE = 1;
  static final byte NONE_LEFT = 2;
  static final byte FIRST_OF_THREAD = 3;

  /** Instead of a number of bytes: the JDK refuses such a request. Fits no slab. */
  private static final int INVALID = Integer.MAX_VALUE - TOO_MUCH;

  /** Added to a run, in the result of {@link #find}, which is negative. */
  private static final int RUN = Short.MIN_VALUE;

  /** Added to a slot of {@link Pool#slotsFor}, below 2^13; above any run, which is below 2^14. */
  private static final int SHARED = -(1 << 14);

  /** Added to a slot of {@link Pool#larger}, below 2^12. */
  private static final int LARGER = -(1 << 13);

  /** Added to a reason to use the fallback. */
  private static final int REFUSAL = -(1 << 12);

  private final Pool pool;
  private final Thread owner = Thread.currentThread();

  /** Owner of the run, or of the one to be found; null if a shared slab is in use. */
  private @Nullable ThreadSlabs home;

  /** Run in {@code home}; or, without a home, the slot of the shared slab as a run of one. */
  private int run = Run.NONE;

  /**
   * Slot of the larger slab plus one; or, below 0, a result of {@link #find} not used yet; or 0.
   */
  private short largerOrFound;

  private byte reason = SERVED;

  /** Whether {@code regular} is closed or being closed: then the arena takes no slab. */
  private boolean closed;

  /** Start of the larger slab if there is one, else of the run or shared slab. */
  private long address;

  /** Bytes handed out from {@code address} on; a multiple of 16. */
  private int used;

  @ForceInline
  PooledArena(Pool pool, Arena regular) {
    super(regular);
    this.pool = pool;
    // Nothing may wait between finding the slabs and taking one, see ThreadSlabs.areAt.
    ThreadSlabs slabs = pool.cachedSlabsOf(owner);
    int one = slabs == null ? Run.NONE : slabs.acquireEarly();
    if (slabs != null && one != Run.NONE) {
      // No call: if the stack ended here, nobody could close this arena.
      address = slabs.base + (long) (one >> Run.FIRST_SHIFT) * slabs.slabByteSize;
      run = one;
      home = slabs;
    }
  }

  /**
   * Has the JVM resolve the class that {@link #close} tests for: that may call the class loader,
   * and in close there may be no stack for it.
   */
  static void linkAll() {
    Objects.requireNonNull(IllegalStateException.class);
  }

  // ---- Fits: an allocation goes to the slab if it has room, else to the fallback. Methods repeat
  // each other here, because each call less lets C2 inline arenas that are opened deeper, see
  // Pool.open.

  @Override
  @ForceInline
  public final MemorySegment allocate(long byteSize, long byteAlignment) {
    if (!ensureRoom(byteSize, byteAlignment)) {
      return allocateOtherwise(byteSize, byteAlignment);
    }
    return taken(NativeMemory.confinedSegment(next(byteAlignment), byteSize, regular));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Overridden, because C2 compiles the inherited method alone if other arenas of the program
   * are hot. That method then exceeds C2's limit for inlining, and each arena escapes into it.
   */
  @Override
  @ForceInline
  public final MemorySegment allocate(long byteSize) {
    if (!ensureRoom(byteSize, 1)) {
      return allocateOtherwise(byteSize, 1);
    }
    return taken(NativeMemory.confinedSegment(next(1), byteSize, regular));
  }

  /** Overridden for the same reason as {@link #allocate(long)}. */
  @Override
  @ForceInline
  public final MemorySegment allocate(MemoryLayout layout) {
    Objects.requireNonNull(layout);
    return allocate(layout.byteSize(), layout.byteAlignment());
  }

  @ForceInline
  private MemorySegment allocateOtherwise(long byteSize, long byteAlignment) {
    return fallback().allocate(byteSize, byteAlignment);
  }

  @Override
  @ForceInline
  final boolean ensureRoom(long byteSize, long byteAlignment) {
    boolean isUsual =
        (byteSize & -TOO_MUCH) == 0
            && byteAlignment > 0
            && byteAlignment <= NativeMemory.ALIGNMENT
            && (byteAlignment & (byteAlignment - 1)) == 0;
    int needed = isUsual ? footprint((int) byteSize) : neededUnusual(used, byteSize, byteAlignment);
    return used + needed <= limit() || makeRoom(needed);
  }

  /** Returns the bytes that can be handed out from {@code address} on; 0 without a slab. */
  @ForceInline
  private int limit() {
    return largerOrFound <= 0 ? Run.count(run) * pool.slabByteSize() : Pool.LARGER_BYTE_SIZE;
  }

  /** Handles huge sizes, alignments larger than malloc's, and requests that the JDK refuses. */
  private static int neededUnusual(int used, long byteSize, long byteAlignment) {
    if (byteSize < 0 || byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
      return INVALID;
    }
    if (byteSize > TOO_MUCH || byteAlignment > NativeMemory.CACHE_LINE) {
      return TOO_MUCH;
    }
    return skipped(used, byteAlignment) + footprint((int) byteSize);
  }

  /**
   * Returns the bytes from {@code used} to the next multiple of an alignment up to a slab's; none
   * for alignments up to malloc's.
   */
  @ForceInline
  private static int skipped(int used, long alignment) {
    return -used & ((int) alignment - 1);
  }

  /** Returns the bytes that a segment takes; even an empty segment gets its own address. */
  @ForceInline
  private static int footprint(int byteSize) {
    int granule = NativeMemory.ALIGNMENT;
    return (Math.max(byteSize, 1) + granule - 1) & -granule;
  }

  @Override
  @ForceInline
  final MemorySegment allocateInSlab(int byteSize, long byteAlignment) {
    return taken(NativeMemory.confinedSegment(next(byteAlignment), byteSize, regular));
  }

  /** Returns the address of the next allocation. */
  @ForceInline
  private long next(long byteAlignment) {
    return address + used + skipped(used, byteAlignment);
  }

  /** Takes the bytes of a segment once it is made, which a foreign thread is refused. */
  @ForceInline
  private MemorySegment taken(MemorySegment segment) {
    used = (int) (segment.address() - address) + footprint((int) segment.byteSize());
    return segment;
  }

  /** Whether the current thread is the owner and the arena is open. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @ForceInline
  private boolean isOpenAndOwned() {
    return !closed && Thread.currentThread() == owner;
  }

  // ---- Grow: the arena takes its first slab, a longer run, a larger slab, or refuses.

  /** Gets room for {@code needed} bytes; returns whether there is room. */
  @ForceInline
  private boolean makeRoom(int needed) {
    return needed != INVALID && isOpenAndOwned() && takeMore(needed);
  }

  @ForceInline
  private boolean takeMore(int needed) {
    return largerOrFound == 0 ? takeMoreOf(nearby(), needed) : refuseFull();
  }

  /** Returns the slabs to take a run from: the current thread's for a new run, else its home. */
  @ForceInline
  private @Nullable ThreadSlabs nearby() {
    return address == 0 ? pool.slabsOf(owner) : home;
  }

  /** Notes at once what was found. A call in between may overflow, and a slab would be lost. */
  @ForceInline
  private boolean takeMoreOf(@Nullable ThreadSlabs slabs, int needed) {
    home = slabs;
    largerOrFound = find(pool, owner, slabs, run, used, needed);
    return useFound();
  }

  @ForceInline
  private boolean useFound() {
    int found = largerOrFound;
    return found < SHARED ? useFoundRun(home, found - RUN) : useSlotOrRefuse(found);
  }

  @ForceInline
  private boolean useFoundRun(@Nullable ThreadSlabs slabs, int found) {
    return slabs != null && useRun(found, slabs.address(found));
  }

  @ForceInline
  private boolean useRun(int found, long start) {
    run = found;
    address = start;
    largerOrFound = 0;
    return true;
  }

  @ForceInline
  private boolean useSlotOrRefuse(int found) {
    return found >= REFUSAL ? refuseFound(found - REFUSAL) : useSlot(found);
  }

  @ForceInline
  private boolean refuseFound(int why) {
    largerOrFound = 0;
    return refuse((byte) why);
  }

  @ForceInline
  private boolean useSlot(int found) {
    return found >= LARGER ? useLarger(found - LARGER) : useShared(found - SHARED);
  }

  @ForceInline
  private boolean useShared(int slot) {
    return useShared(Run.of(slot, 1), pool.slotsFor(owner).address(slot));
  }

  @ForceInline
  private boolean useShared(int one, long start) {
    home = null;
    return useRun(one, start);
  }

  @ForceInline
  private boolean useLarger(int slot) {
    long start = pool.larger().address(slot);
    address = start;
    largerOrFound = (short) (slot + 1);
    used = 0;
    return true;
  }

  /**
   * Refuses: the larger slab is full. Or an earlier call overflowed the stack before it used what
   * it found; that is so rare that its count does not matter.
   */
  @ForceInline
  private boolean refuseFull() {
    forgetFound();
    return refuse(TOO_LARGE);
  }

  /** Releases slabs that were found by a call that ended in a stack overflow. */
  @ForceInline
  private void forgetFound() {
    if (largerOrFound < 0) {
      largerOrFound = releaseFound(pool, owner, home, run, largerOrFound);
    }
  }

  /** Returns 0. */
  private static short releaseFound(
      Pool pool, Thread owner, @Nullable ThreadSlabs slabs, int run, int found) {
    if (found < SHARED && slabs != null) {
      slabs.releaseFound(owner, run, found - RUN);
    } else if (found >= SHARED && found < LARGER) {
      pool.slotsFor(owner).release(found - SHARED, 0);
    } else if (found >= LARGER && found < REFUSAL) {
      pool.larger().release(found - LARGER, 0);
    }
    return 0;
  }

  @ForceInline
  private boolean refuse(byte why) {
    if (reason == SERVED) {
      reason = why;
    }
    return false;
  }

  /**
   * Acquires room for {@code needed} bytes more: one slab or a run, a longer run, or a larger slab.
   *
   * <p>Must have more than 325 bytecodes (FreqInlineSize): then C2 never inlines this method, even
   * in a program that calls it for each arena. Inlined, it would make {@code allocate} too much
   * code to be inlined, and each arena an object. Outside java.base no annotation forbids that. So
   * keep the repetitions; {@code MethodSizesTest} fails below the limit.
   *
   * @param slabs those of the current thread or its carrier; if the arena has memory, its home
   * @param run the arena's, see {@link #run}
   * @return a run of {@code slabs} plus RUN, or a slot plus SHARED or LARGER, or a reason plus
   *     REFUSAL
   */
  private static short find(
      Pool pool, Thread owner, @Nullable ThreadSlabs slabs, int run, int used, int needed) {
    int slabByteSize = pool.slabByteSize();
    if (run == Run.NONE && needed <= slabByteSize) {
      int one = slabs == null ? Run.NONE : slabs.acquireOne();
      if (one != Run.NONE) {
        return (short) (RUN + one);
      }
      if (owner.isVirtual()) {
        int slot = pool.shared().acquire(owner.threadId());
        if (slot != SharedSlabs.NONE) {
          return (short) (SHARED + slot);
        }
      } else if (slabs == null) { // a thread with slabs shares none: it may keep them for good
        int slot = pool.young().acquire(owner.threadId());
        if (slot != SharedSlabs.NONE) {
          return (short) (SHARED + slot);
        }
      }
    } else {
      int byteSize = used + needed;
      boolean fitsRun = byteSize <= pool.longestRun() * slabByteSize;
      if (slabs != null && fitsRun) {
        // A shift, because the divisor, a power of two, is no constant to C2 in here.
        int count = ((byteSize - 1) >> Integer.numberOfTrailingZeros(slabByteSize)) + 1;
        int longer = Run.NONE;
        if (run == Run.NONE) {
          longer = slabs.acquire(count);
        } else if (slabs.areAt(owner)) {
          longer = slabs.extend(run, count);
        }
        if (longer != Run.NONE) {
          return (short) (RUN + longer);
        }
      }
      if (needed > Pool.LARGER_BYTE_SIZE) {
        return (short) (REFUSAL + (fitsRun ? NONE_LEFT : TOO_LARGE));
      }
      if (slabs != null) {
        int slot = pool.larger().acquire(slabs.threadId, used);
        if (slot != SharedSlabs.NONE) {
          return (short) (LARGER + slot);
        }
      } else if (owner.isVirtual()) { // any other thread without slabs is too young
        int slot = pool.larger().acquire(owner.threadId(), used);
        if (slot != SharedSlabs.NONE) {
          return (short) (LARGER + slot);
        }
      }
    }
    boolean isYoung =
        !owner.isVirtual()
            && pool.registry().known(owner.threadId()) == null
            && pool.admission().wasAmongFirst(owner.threadId());
    return (short) (REFUSAL + (isYoung ? FIRST_OF_THREAD : NONE_LEFT));
  }

  // ---- Give back: a closed arena zeroes its slabs and releases them.

  /**
   * {@inheritDoc}
   *
   * <p>Closes {@code regular} first, which checks that the arena may be closed, and runs the
   * cleanup actions, which may still use the memory. Only then are slabs zeroed and released.
   *
   * <p>Meanwhile this arena takes no slabs and makes no segments, because {@code closed} is set and
   * {@code regular} is closed. So a cleanup action that closes the arena again, or allocates, can
   * neither release a slab twice nor lose one.
   *
   * <p>If stack or heap ends in here once {@code regular} is closed, nobody can close this arena
   * again. So its slabs are abandoned, by plain stores. They are abandoned, too, if the stack ends
   * as this method asks whether {@code regular} is alive; the housekeeper returns them once the
   * scope is closed. If {@code regular} is still open, so is this arena, and may be closed again.
   *
   * @throws IllegalStateException as the JDK's arena; or if a slab was released before, which is
   *     not touched then
   */
  @Override
  @SuppressWarnings("ReachabilityFenceUsage") // needed only if slabs were released
  @ForceInline
  public final void close() {
    if (!isOpenAndOwned()) {
      NativeMemory.close(regular);
      return;
    }
    forgetFound();
    SharedSlabs slots = home == null ? pool.slotsFor(owner) : null;
    long[] lines = slots == null ? null : slots.lines();
    @Nullable Object[] abandonedBy = slots == null ? null : slots.abandonedBy();
    long[] largerLines = pool.larger().lines();
    @Nullable Object[] largerAbandonedBy = pool.larger().abandonedBy();
    Object abandoner = SharedSlabs.CLOSED_ARENA;
    Throwable thrown = null;
    closed = true;
    try {
      try {
        NativeMemory.close(regular);
      } catch (Throwable failure) {
        abandoner = regular; // only here, else C2 would keep each arena in the heap
        if (regular.scope().isAlive()) {
          closed = false; // the JDK refused to close
          throw failure;
        }
        thrown = failure; // by a cleanup action, or before the last one because the stack ended
      }
      giveBack();
    } catch (Throwable failure) {
      // Slabs that are not owned are another's by now, or broken.
      if (closed && !(failure instanceof IllegalStateException)) {
        int end = (run >> Run.FIRST_SHIFT) + (run & Run.COUNT_MASK);
        for (int slab = run >> Run.FIRST_SHIFT; slab < end; slab++) {
          if (home != null) {
            home.abandonedBy[slab] = abandoner;
          } else if (abandonedBy != null && lines != null) { // always, without a home
            abandonedBy[slab] = abandoner;
            lines[slab * SharedSlabs.LINE + SharedSlabs.CLAIM] = SharedSlabs.ABANDONED;
          }
        }
        if (largerOrFound != 0) {
          largerAbandonedBy[largerOrFound - 1] = abandoner;
          largerLines[(largerOrFound - 1) * SharedSlabs.LINE + SharedSlabs.CLAIM] =
              SharedSlabs.ABANDONED;
        }
      }
      throw failure;
    }
    Reference.reachabilityFence(pool); // Upkeep frees the slabs of an unreachable pool
    if (thrown != null) {
      rethrow(thrown);
    }
  }

  /** A cleanup action may throw checked exceptions, too: not all languages check them. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  @ForceInline
  public final boolean isServedFromSlabs() {
    return reason == SERVED;
  }

  /** Zeroes and releases all slabs: nearly always, one run. */
  @ForceInline
  private void giveBack() {
    ThreadSlabs slabs = home;
    if ((largerOrFound | reason) != 0) {
      used = countFallbackGiveBackLarger(pool, owner, run, used, largerOrFound, reason);
      largerOrFound = 0; // with no call in between: close must not abandon a slot that was released
      giveBackFirst(pool, owner, slabs, run, used, reason);
    } else if (run != Run.NONE) {
      if (slabs != null) {
        giveBackRun(pool, owner, slabs, run, address, used, used == 0 ? 0 : 1);
      } else {
        giveBackShared(pool, owner, run, used, 1);
      }
    }
  }

  /**
   * Counts an arena that used the fallback; zeroes and releases the larger slab if there is one.
   *
   * @param used bytes used of the larger slab if there is one, else of the run or shared slab
   * @return bytes used of the run or shared slab
   */
  private static int countFallbackGiveBackLarger(
      Pool pool, Thread owner, int run, int used, short larger, byte reason) {
    if (reason != SERVED) {
      pool.countFallback(owner, reason);
    }
    return larger == 0
        ? used
        : giveBackLarger(
            pool.larger(),
            larger - 1,
            used,
            run == Run.NONE ? served(reason) : 0,
            owner.isVirtual());
  }

  private static int served(byte reason) {
    return reason == SERVED ? 1 : 0;
  }

  /** Zeroes and releases the run or shared slab of an arena that has more, or used the fallback. */
  private static void giveBackFirst(
      Pool pool, Thread owner, @Nullable ThreadSlabs slabs, int run, int used, byte reason) {
    if (run == Run.NONE) {
      return;
    }
    if (slabs != null) {
      giveBackRun(pool, owner, slabs, run, slabs.address(run), used, served(reason));
    } else {
      giveBackShared(pool, owner, run, used, served(reason));
    }
  }

  private static int giveBackLarger(
      SharedSlabs slots, int slot, int used, int served, boolean isVirtual) {
    int outgrown = slots.outgrownByteSize(slot);
    if (used != 0) { // else the fallback served what the slab was for, a string
      NativeMemory.zeroBulk(slots.address(slot), used);
    }
    if (isVirtual) {
      slots.countOnVirtualThread(slot, served);
    }
    slots.release(slot, served);
    return outgrown;
  }

  private static void giveBackShared(Pool pool, Thread owner, int run, int used, int served) {
    SharedSlabs slots = pool.slotsFor(owner);
    int slot = Run.first(run);
    NativeMemory.zero(slots.address(slot), used);
    slots.release(slot, served);
  }

  @ForceInline
  private static void giveBackRun(
      Pool pool, Thread owner, ThreadSlabs slabs, int run, long address, int used, int served) {
    NativeMemory.zero(address, used);
    if (slabs.areAt(owner)) {
      slabs.release(run, served);
    } else {
      giveBackFromElsewhere(pool, slabs, run, served);
    }
  }

  /** Releases a run for a virtual thread that has changed its carrier since taking the run. */
  private static void giveBackFromElsewhere(Pool pool, ThreadSlabs slabs, int run, int served) {
    pool.others().addServed(served); // before the release: close must not abandon a released run
    slabs.releaseFromElsewhere(run);
  }
}
