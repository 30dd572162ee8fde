package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Pooled;
import dev.rockpool.internal.StackSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena on slabs. A regular arena of the JDK provides lifetime and confinement, and is
 * the fallback for allocations that do not fit.
 *
 * <p>An arena starts with one slab of its thread or carrier, or with a shared slab. When that slab
 * is full, the arena extends it to a run of adjacent slabs. If the next slabs are not free, or the
 * run is at its longest, the arena moves on to a larger, shared slab. A first allocation too large
 * for a run goes there at once. The arena keeps all its slabs until it is closed.
 *
 * <pre>
 *   allocate, allocateFrom
 *     hasRoom                 does it fit?      hasRoomUnusual: needed, hasRoomAligned, skip
 *       makeRoom              no slab yet       takeSlab: use; or takeShared: useShared
 *         takeMore            slab or run full  fitsRun, takeRun: acquireRun, use
 *           moveOn            no longer run     acquireLarger, useLarger
 *             refuse          none left         keeps the reason
 *     allocateInSlab          it fits; else the regular arena allocates
 *   close
 *     giveBack                one run           giveBackRun
 *       giveBackShared        a shared slab
 *       giveBackAll           any other case    giveBackLarger, then one of the two above
 * </pre>
 *
 * <p>The methods are small, because in compiled code an arena that does not escape is never
 * created: its fields are registers. An arena escapes into each method that C2 does not inline, and
 * then is created each time, even if that method is rarely called. C2 inlines a method that is
 * called for less than every fourth arena only up to 35 bytecodes. So rarely called methods are no
 * longer than that. Longer methods are static, and take the arena's values, not the arena. {@code
 * MethodSizesTest} checks the sizes.
 *
 * <p>The fast path decides only whether an allocation fits. For a bad size, a bad alignment, a
 * closed arena or a foreign thread it does not fit, and then {@code regular} allocates or throws.
 * Segments have the scope of {@code regular}, so the JDK checks on each access that the arena is
 * open and that the thread is its owner.
 *
 * <p>An escaping arena is 48 bytes; the fields below use all of them. One more field would make
 * more garbage than an arena of the JDK.
 *
 * <p>Any call may throw a StackOverflowError. So fields that belong together are written with no
 * call in between. A failure before these writes loses what was acquired, but leaves the arena
 * unchanged.
 *
 * <p>Only {@code owner} writes fields. A foreign thread may read them while it misuses the arena,
 * but whatever it reads leads to {@code regular}, which throws before anything is changed.
 */
sealed class PooledArena extends SlabFirstArena implements Pooled permits InlinedArena {
  /** Largest size for which adding padding cannot overflow an int. */
  private static final int MOST = 1 << 30;

  /** No allocation has used the fallback; otherwise one of the reasons below, the first one. */
  private static final byte SERVED = 0;

  static final byte TOO_LARGE = 1;
  static final byte NONE_LEFT = 2;
  static final byte FIRST_OF_THREAD = 3;

  /** Instead of a number of bytes: the JDK refuses such a request. */
  private static final int REFUSED = 0;

  /** Instead of a number of bytes: the request exceeds every slab. */
  private static final int TOO_MUCH = -1;

  /** Frames that noting an acquired slab takes; few, because each takes time. */
  private static final int NOTING_FRAMES = 64;

  private final Pool pool;
  private final Thread owner = Thread.currentThread();

  /** Owner of the slabs in use; null if a shared slab or none is in use. */
  private @Nullable ThreadSlabs home;

  /** Run in {@code home}; or, without a home, the slot of the shared slab as a run of one. */
  private int run = Run.NONE;

  /** Slot of the larger slab plus one, or 0 if there is none. */
  private short larger;

  private byte reason = SERVED;

  /**
   * Whether {@code regular} is closed or being closed, so that the arena takes no slab any more.
   */
  private boolean closed;

  /** Start of the larger slab if there is one, else of the run or shared slab. */
  private long address;

  /** Bytes handed out from {@code address} on; a multiple of 16. */
  private int used;

  @ForceInline
  PooledArena(Pool pool) {
    super(Arena.ofConfined());
    this.pool = pool;
  }

  // ---- Fits: an allocation goes to the slab if it has room, else to the regular arena.

  @Override
  @ForceInline
  public final MemorySegment allocate(long byteSize, long byteAlignment) {
    return hasRoom(byteSize, byteAlignment)
        ? allocateInSlab((int) byteSize)
        : regular.allocate(byteSize, byteAlignment);
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
    return allocate(byteSize, 1);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Overridden for the same reason as {@link #allocate(long)}.
   */
  @Override
  @ForceInline
  public final MemorySegment allocate(MemoryLayout layout) {
    Objects.requireNonNull(layout);
    return allocate(layout.byteSize(), layout.byteAlignment());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Alignments up to malloc's need no rounding, since {@code used} is a multiple of malloc's.
   */
  @Override
  @ForceInline
  final boolean hasRoom(long byteSize, long byteAlignment) {
    if (byteSize < 0
        || byteSize > pool.slabByteSize()
        || byteAlignment <= 0
        || byteAlignment > NativeMemory.ALIGNMENT
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return hasRoomUnusual(byteSize, byteAlignment);
    }
    int footprint = footprint((int) byteSize);
    return used + footprint <= limit() || makeRoom(footprint);
  }

  /** Returns the bytes that can be handed out from {@code address} on; 0 without a slab. */
  @ForceInline
  private int limit() {
    return larger == 0 ? Run.count(run) * pool.slabByteSize() : Pool.LARGER_BYTE_SIZE;
  }

  /** Handles more than a slab, alignments larger than malloc's, and requests the JDK refuses. */
  @ForceInline
  private boolean hasRoomUnusual(long byteSize, long byteAlignment) {
    int needed = needed(used, byteSize, byteAlignment);
    return needed <= 0 ? refuseUnusual(needed) : hasRoomAligned(needed, (int) byteAlignment);
  }

  /** Returns the bytes from {@code used} to the end of the request, or REFUSED or TOO_MUCH. */
  private static int needed(int used, long byteSize, long byteAlignment) {
    if (byteSize < 0 || byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
      return REFUSED;
    }
    if (byteSize > MOST || byteAlignment > NativeMemory.CACHE_LINE) {
      return TOO_MUCH;
    }
    return skipped(used, (int) byteAlignment) + footprint((int) byteSize);
  }

  /** Returns the bytes from {@code used} to the next multiple of an alignment up to a slab's. */
  @ForceInline
  private static int skipped(int used, int alignment) {
    return -used & (alignment - 1);
  }

  @ForceInline
  private boolean refuseUnusual(int needed) {
    return needed == TOO_MUCH && mayTakeSlabs() && refuse(TOO_LARGE);
  }

  @ForceInline
  private boolean hasRoomAligned(int needed, int alignment) {
    return (used + needed <= limit() || makeRoomUnusual(needed)) && skip(alignment);
  }

  /** Skips bytes for alignment; none at the start of a slab. */
  @ForceInline
  private boolean skip(int alignment) {
    if (!mayTakeSlabs()) {
      return false;
    }
    used += skipped(used, alignment);
    return true;
  }

  /** Returns the bytes that a segment takes; even an empty segment gets its own address. */
  @ForceInline
  private static int footprint(int byteSize) {
    int granule = NativeMemory.ALIGNMENT;
    return (Math.max(byteSize, 1) + granule - 1) & -granule;
  }

  @Override
  @ForceInline
  final MemorySegment allocateInSlab(int byteSize) {
    // Before the first write, because this throws on a foreign thread.
    MemorySegment segment = NativeMemory.segment(address + used, byteSize, regular);
    used += footprint(byteSize);
    return segment;
  }

  /** Whether the current thread is the owner and the arena is open. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @ForceInline
  private boolean mayTakeSlabs() {
    return !closed && Thread.currentThread() == owner;
  }

  // ---- Grow: the arena takes a slab, a longer run, a larger slab, or refuses.

  /** Gets room for {@code needed} bytes, at most a slab; returns whether there is room. */
  @ForceInline
  private boolean makeRoom(int needed) {
    if (!mayTakeSlabs()) {
      return false;
    }
    return address == 0 ? takeSlab() : takeMore(needed);
  }

  /** As {@link #makeRoom}, but {@code needed} may exceed a slab. */
  @ForceInline
  private boolean makeRoomUnusual(int needed) {
    return needed <= pool.slabByteSize() ? makeRoom(needed) : makeRoomBeyondSlab(needed);
  }

  @ForceInline
  private boolean makeRoomBeyondSlab(int needed) {
    return mayTakeSlabs() && takeMore(needed);
  }

  @ForceInline
  private boolean takeSlab() {
    ThreadSlabs slabs = pool.slabsOf(owner);
    if (slabs == null || !use(slabs, slabs.acquireOne())) {
      return takeShared();
    }
    return true;
  }

  @ForceInline
  private boolean use(ThreadSlabs slabs, int run) {
    if (run == Run.NONE) {
      return false;
    }
    long start = slabs.address(run);
    this.run = run;
    home = slabs;
    address = start;
    return true;
  }

  @ForceInline
  private boolean takeShared() {
    int slot = acquireShared(pool, owner);
    return slot == SharedSlabs.NONE ? refuseNone() : useShared(slot);
  }

  @ForceInline
  private boolean refuseNone() {
    return refuse(whyNone(pool, owner));
  }

  /** Returns the reason of an allocation that got no slab. */
  private static byte whyNone(Pool pool, Thread owner) {
    return !owner.isVirtual() && pool.wasYoung(owner.threadId()) ? FIRST_OF_THREAD : NONE_LEFT;
  }

  private static int acquireShared(Pool pool, Thread owner) {
    return owner.isVirtual() ? pool.shared().acquire(owner.threadId()) : SharedSlabs.NONE;
  }

  @ForceInline
  private boolean useShared(int slot) {
    int run = Run.of(slot, 1);
    address = pool.shared().address(slot);
    this.run = run;
    return true;
  }

  /** Takes a run, or extends the present one; otherwise takes a larger slab. */
  @ForceInline
  private boolean takeMore(int needed) {
    return (fitsRun(needed) && takeRun(nearby(), needed)) || moveOn(needed);
  }

  /** Whether a request fits the longest run; asked first, to keep the code of larger ones short. */
  @ForceInline
  private boolean fitsRun(int needed) {
    return used + needed <= pool.longestRun() * pool.slabByteSize();
  }

  /** Returns the slabs to take a run from: the current thread's for a new run, else its home. */
  @ForceInline
  private @Nullable ThreadSlabs nearby() {
    return address == 0 ? pool.slabsOf(owner) : home;
  }

  @ForceInline
  private boolean takeRun(@Nullable ThreadSlabs slabs, int needed) {
    return slabs != null && larger == 0 && use(slabs, acquireRun(slabs, needed));
  }

  @ForceInline
  private int acquireRun(ThreadSlabs slabs, int needed) {
    return acquireRun(pool, owner, slabs, run, used + needed);
  }

  /** Acquires a run for {@code byteSize} bytes, which extends {@code run} unless that is NONE. */
  private static int acquireRun(Pool pool, Thread owner, ThreadSlabs slabs, int run, int byteSize) {
    int count = (byteSize - 1) / pool.slabByteSize() + 1;
    if (run == Run.NONE) {
      return slabs.acquire(count);
    }
    return isAt(owner, slabs) ? slabs.extend(run, count) : Run.NONE;
  }

  /**
   * Whether {@code slabs} belong to {@code owner}, the current thread, or to its carrier. The
   * answer is valid until the thread next waits, see {@link Carrier}.
   */
  @ForceInline
  private static boolean isAt(Thread owner, ThreadSlabs slabs) {
    return !Carrier.isReachable() || !owner.isVirtual() || Carrier.currentId() == slabs.threadId;
  }

  /** Takes a larger slab, if this arena has none yet. */
  @ForceInline
  private boolean moveOn(int needed) {
    return (larger != 0 || needed > Pool.LARGER_BYTE_SIZE)
        ? refuse(TOO_LARGE)
        : moveOnTo(acquireLarger());
  }

  @ForceInline
  private int acquireLarger() {
    return acquireLarger(pool, owner, home, used);
  }

  private static int acquireLarger(
      Pool pool, Thread owner, @Nullable ThreadSlabs home, int outgrown) {
    if (home == null && !owner.isVirtual() && pool.isYoung(owner.threadId())) {
      return SharedSlabs.NONE;
    }
    StackSpace.require(NOTING_FRAMES); // else nobody would know of the slab
    SharedSlabs slots = pool.larger();
    int slot = slots.acquire(home != null ? home.threadId : owner.threadId());
    if (slot != SharedSlabs.NONE) {
      slots.setOutgrownByteSize(slot, outgrown);
    }
    return slot;
  }

  @ForceInline
  private boolean moveOnTo(int slot) {
    return slot == SharedSlabs.NONE ? refuseNone() : useLarger(slot);
  }

  @ForceInline
  private boolean useLarger(int slot) {
    address = pool.larger().address(slot);
    larger = (short) (slot + 1);
    used = 0;
    return true;
  }

  @ForceInline
  private boolean refuse(byte why) {
    if (reason == SERVED) {
      reason = why;
    }
    return false;
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
   */
  @Override
  @SuppressWarnings("ReachabilityFenceUsage") // needed only if slabs were released
  @ForceInline
  public final void close() {
    if (!mayTakeSlabs()) {
      regular.close();
      return;
    }
    closed = true;
    try {
      regular.close();
    } catch (Throwable failure) {
      closed = false; // before a call, which may overflow: then the program can close again
      afterFailedClose();
      throw failure;
    }
    giveBack();
    Reference.reachabilityFence(pool); // Upkeep frees the slabs of an unreachable pool
  }

  /**
   * Leaves this arena open if the JDK refused to close; releases slabs if a cleanup action threw.
   */
  private void afterFailedClose() {
    if (!regular.scope().isAlive()) {
      closed = true;
      giveBack();
    }
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
    if ((larger | reason) != 0) {
      giveBackAll(pool, owner, slabs, run, used, larger, reason);
    } else if (slabs != null) {
      giveBackRun(pool, owner, slabs, run, address, used, 1);
    } else if (run != Run.NONE) {
      giveBackShared(pool, run, used, 1);
    }
  }

  /**
   * Zeroes and releases the slabs of an arena that moved on to a larger slab, used the fallback, or
   * both; counts the arena.
   *
   * @param used bytes used of the larger slab if there is one, else of the run or shared slab
   */
  private static void giveBackAll(
      Pool pool,
      Thread owner,
      @Nullable ThreadSlabs slabs,
      int run,
      int used,
      short larger,
      byte reason) {
    int served = reason == SERVED ? 1 : 0;
    if (served == 0) {
      pool.countRegular(owner, reason);
    }
    int usedOfRun = used;
    if (larger != 0) {
      usedOfRun = giveBackLarger(pool, larger - 1, used, run == Run.NONE ? served : 0);
    }
    if (slabs != null) {
      giveBackRun(pool, owner, slabs, run, slabs.address(run), usedOfRun, served);
    } else if (run != Run.NONE) {
      giveBackShared(pool, run, usedOfRun, served);
    }
  }

  /** Releases a larger slab; returns the bytes used of the slabs that the arena outgrew. */
  private static int giveBackLarger(Pool pool, int slot, int used, int served) {
    SharedSlabs slots = pool.larger();
    int outgrown = slots.outgrownByteSize(slot);
    NativeMemory.zeroBulk(slots.address(slot), used); // less code than zero
    slots.release(slot, served);
    return outgrown;
  }

  private static void giveBackShared(Pool pool, int run, int used, int served) {
    SharedSlabs slots = pool.shared();
    int slot = Run.first(run);
    NativeMemory.zero(slots.address(slot), used);
    slots.release(slot, served);
  }

  @ForceInline
  private static void giveBackRun(
      Pool pool, Thread owner, ThreadSlabs slabs, int run, long address, int used, int served) {
    NativeMemory.zero(address, used);
    if (isAt(owner, slabs)) {
      slabs.release(run, served);
    } else {
      giveBackFromElsewhere(pool, slabs, run, served);
    }
  }

  /** Releases a run for a virtual thread that has changed its carrier since taking the run. */
  private static void giveBackFromElsewhere(Pool pool, ThreadSlabs slabs, int run, int served) {
    slabs.releaseFromElsewhere(run);
    pool.others().addServed(served);
  }
}
