package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
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
 *     hasRoom                 does it fit?
 *       makeRoom
 *         takeSlab            no slab yet       useRun
 *         takeMore            any other case    find, then useRun, useShared, useLarger, or refuse
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
 * <p>Rare cases share one call, of {@code find}. C2 may compile a program's method soon after the
 * pool's start, when no profile tells yet which branches are rare, and then compiles all of them.
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
  /** More bytes than any slab has, to which padding can be added without overflow. */
  private static final int TOO_MUCH = 1 << 30;

  /** No allocation has used the fallback; otherwise one of the reasons below, the first one. */
  private static final byte SERVED = 0;

  static final byte TOO_LARGE = 1;
  static final byte NONE_LEFT = 2;
  static final byte FIRST_OF_THREAD = 3;

  /** Instead of a number of bytes: the JDK refuses such a request. */
  private static final int REFUSED = 0;

  /** Added to a slot of {@link Pool#shared}, in the result of {@link #find}; above any run. */
  private static final int SHARED = 1 << 24;

  /** Added to a slot of {@link Pool#larger}. */
  private static final int LARGER = 2 << 24;

  /** Added to a reason. */
  private static final int REFUSAL = 3 << 24;

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
        ? allocateInSlab((int) byteSize, byteAlignment)
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

  @Override
  @ForceInline
  final boolean hasRoom(long byteSize, long byteAlignment) {
    boolean isUsual =
        byteSize >= 0
            && byteSize <= pool.slabByteSize()
            && byteAlignment > 0
            && byteAlignment <= NativeMemory.ALIGNMENT
            && (byteAlignment & (byteAlignment - 1)) == 0;
    int needed = isUsual ? footprint((int) byteSize) : neededUnusual(used, byteSize, byteAlignment);
    return used + needed <= limit() ? needed != REFUSED : makeRoom(needed);
  }

  /** Returns the bytes that can be handed out from {@code address} on; 0 without a slab. */
  @ForceInline
  private int limit() {
    return larger == 0 ? Run.count(run) * pool.slabByteSize() : Pool.LARGER_BYTE_SIZE;
  }

  /** Handles more than a slab, alignments larger than malloc's, and requests the JDK refuses. */
  private static int neededUnusual(int used, long byteSize, long byteAlignment) {
    if (byteSize < 0 || byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
      return REFUSED;
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
    return allocateAt(used + skipped(used, byteAlignment), byteSize);
  }

  @ForceInline
  private MemorySegment allocateAt(int start, int byteSize) {
    // Before the first write, because this throws on a foreign thread.
    MemorySegment segment = NativeMemory.segment(address + start, byteSize, regular);
    used = start + footprint(byteSize);
    return segment;
  }

  /** Whether the current thread is the owner and the arena is open. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @ForceInline
  private boolean mayTakeSlabs() {
    return !closed && Thread.currentThread() == owner;
  }

  // ---- Grow: the arena takes a slab, a longer run, a larger slab, or refuses.

  /** Gets room for {@code needed} bytes; returns whether there is room. */
  @ForceInline
  private boolean makeRoom(int needed) {
    return mayTakeSlabs() && (takeSlab(needed) || takeMore(needed));
  }

  /** Takes one slab of the thread or carrier: nearly always the first step, and the last. */
  @ForceInline
  private boolean takeSlab(int needed) {
    return isFirst(needed) && takeSlabOf(pool.cachedSlabsOf(owner));
  }

  @ForceInline
  private boolean isFirst(int needed) {
    return address == 0 && needed <= pool.slabByteSize();
  }

  /** Nothing may wait between finding the slabs and this, see {@link ThreadSlabs#areAt}. */
  @ForceInline
  private boolean takeSlabOf(@Nullable ThreadSlabs slabs) {
    return slabs != null && useRun(slabs, slabs.acquireOne());
  }

  @ForceInline
  private boolean useRun(ThreadSlabs slabs, int run) {
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
  private boolean takeMore(int needed) {
    return takeMoreOf(nearby(), needed);
  }

  /** Returns the slabs to take a run from: the current thread's for a new run, else its home. */
  @ForceInline
  private @Nullable ThreadSlabs nearby() {
    return address == 0 ? pool.slabsOf(owner) : home;
  }

  @ForceInline
  private boolean takeMoreOf(@Nullable ThreadSlabs slabs, int needed) {
    return use(slabs, find(pool, owner, slabs, run, larger, used, needed));
  }

  @ForceInline
  private boolean use(@Nullable ThreadSlabs slabs, int found) {
    return (slabs != null && found < SHARED) ? useRun(slabs, found) : useSlotOrRefuse(found);
  }

  @ForceInline
  private boolean useSlotOrRefuse(int found) {
    return found >= REFUSAL ? refuse((byte) (found - REFUSAL)) : useSlot(found);
  }

  @ForceInline
  private boolean useSlot(int found) {
    return found >= LARGER ? useLarger(found - LARGER) : useShared(found - SHARED);
  }

  @ForceInline
  private boolean useShared(int slot) {
    long start = pool.shared().address(slot);
    run = Run.of(slot, 1);
    address = start;
    return true;
  }

  @ForceInline
  private boolean useLarger(int slot) {
    long start = pool.larger().address(slot);
    address = start;
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

  /**
   * Acquires room for {@code needed} bytes more: one slab or a run, a longer run, or a larger slab.
   *
   * @param slabs those of the current thread or its carrier; if the arena has memory, its home
   * @param run the arena's, see {@link #run}
   * @param larger the arena's, see {@link #larger}
   * @return a run of {@code slabs}, or a slot plus SHARED or LARGER, or a reason plus REFUSAL
   */
  private static int find(
      Pool pool,
      Thread owner,
      @Nullable ThreadSlabs slabs,
      int run,
      short larger,
      int used,
      int needed) {
    if (run == Run.NONE && larger == 0 && needed <= pool.slabByteSize()) {
      return findOne(pool, owner, slabs);
    }
    int byteSize = used + needed;
    if (slabs != null && larger == 0 && byteSize <= pool.longestRun() * pool.slabByteSize()) {
      int longer = acquireRun(pool, owner, slabs, run, byteSize);
      if (longer != Run.NONE) {
        return longer;
      }
    }
    return larger != 0 || needed > Pool.LARGER_BYTE_SIZE
        ? REFUSAL + TOO_LARGE
        : findLarger(pool, owner, slabs, used);
  }

  /** Only virtual threads share: platform threads may hold arenas for as long as they live. */
  private static int findOne(Pool pool, Thread owner, @Nullable ThreadSlabs slabs) {
    int one = slabs == null ? Run.NONE : slabs.acquireOne();
    if (one != Run.NONE) {
      return one;
    }
    int slot = owner.isVirtual() ? pool.shared().acquire(owner.threadId()) : SharedSlabs.NONE;
    return slot == SharedSlabs.NONE ? noneLeft(pool, owner) : SHARED + slot;
  }

  /** Acquires a run for {@code byteSize} bytes, which extends {@code run} unless that is NONE. */
  private static int acquireRun(Pool pool, Thread owner, ThreadSlabs slabs, int run, int byteSize) {
    // A shift, because the divisor, a power of two, is no constant to C2 in here.
    int count = ((byteSize - 1) >> Integer.numberOfTrailingZeros(pool.slabByteSize())) + 1;
    if (run == Run.NONE) {
      return slabs.acquire(count);
    }
    return slabs.areAt(owner) ? slabs.extend(run, count) : Run.NONE;
  }

  /** Acquires a larger slab, unless the thread is too young for any. */
  private static int findLarger(
      Pool pool, Thread owner, @Nullable ThreadSlabs slabs, int outgrown) {
    if (slabs == null && !owner.isVirtual()) {
      return noneLeft(pool, owner);
    }
    StackSpace.require(NOTING_FRAMES); // else nobody would know of the slab
    SharedSlabs slots = pool.larger();
    int slot = slots.acquire(slabs != null ? slabs.threadId : owner.threadId());
    if (slot == SharedSlabs.NONE) {
      return noneLeft(pool, owner);
    }
    slots.setOutgrownByteSize(slot, outgrown);
    return LARGER + slot;
  }

  /** Returns the refusal of an allocation that got no slab. */
  private static int noneLeft(Pool pool, Thread owner) {
    boolean isYoung = !owner.isVirtual() && pool.wasYoung(owner.threadId());
    return REFUSAL + (isYoung ? FIRST_OF_THREAD : NONE_LEFT);
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
    if (slabs.areAt(owner)) {
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
