package dev.rockpool.arena;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena on slabs: a regular arena of the JDK for lifetime and confinement, and for
 * everything that does not fit.
 *
 * <p>It starts with one slab of its thread (or of its carrier, or a shared one). When that is full
 * it takes those behind it, if they are free, and then moves on to a larger, shared slab; all of
 * them it keeps until it is closed.
 *
 * <pre>
 *   nothing --first allocation--&gt; run of slabs --full--&gt; longer run --full--&gt; larger slab, too
 *      '-----------------------first allocation too large for a run-------------------^
 * </pre>
 *
 * <p>The fast path decides only "yes, this fits". Bad sizes, bad alignments, a closed arena and a
 * foreign thread are all a no, and then {@code regular} allocates or throws, just as it always did.
 * Segments in slabs are made with {@code regular} as their arena, so the JDK checks on each access
 * that it is open and that the thread is its owner.
 *
 * <p>In compiled code an arena that does not escape is never created: its fields are registers. It
 * escapes into each method that C2 does not inline, and then is made each time, even if that method
 * is hardly ever called. C2 inlines what is called at less than every fourth arena only up to 35
 * bytecodes. So methods here that can be called seldom are no longer than that; what is longer is
 * static, and sees the arena's values, not the arena. {@code MethodSizesTest} counts them.
 *
 * <p>One that escapes takes 48 bytes, which with the fields below it fills: with one more its
 * garbage would exceed that of the JDK's arenas.
 *
 * <p>The stack may end in any call. So fields that belong together are written one after the other,
 * with no call in between: what was acquired before that is lost, and the arena is as it was.
 *
 * <p>Fields are written by {@code owner} alone. Another thread may read them while it misuses the
 * arena; what it reads leads it to {@code regular}, which throws, before anything is changed.
 */
sealed class PooledArena extends SlabFirstArena permits InlinedArena {
  /** Sizes up to this one stay in an int, whatever is added to them here. */
  private static final int MOST = 1 << 30;

  /** What became of the allocations so far: no reason, or the first for the regular way. */
  private static final byte SERVED = 0;

  private static final byte TOO_LARGE = 1;
  private static final byte NONE_LEFT = 2;

  /** Instead of a number of bytes: the JDK refuses such a request, or no slab is for it. */
  private static final int REFUSED = 0;

  private static final int TOO_MUCH = -1;

  private final SlabTable table;
  private final Thread owner = Thread.currentThread();

  /** Whose slabs are in use; null if that is a shared one, or none. */
  private @Nullable ThreadSlabs home;

  /** The run in {@code home}; or, without a home, the slot of the shared slab as a run of one. */
  private int slab = Run.NONE;

  /** The slot of the larger slab and one more, or 0 if there is none. */
  private short larger;

  private byte reason = SERVED;

  /** Whether {@code regular} is closed, or being closed: then this arena takes no slab any more. */
  private boolean closed;

  /** Where the larger slab starts if there is one, else the run, or shared slab. */
  private long address;

  /** Bytes handed out from there on; a multiple of 16. */
  private int used;

  @ForceInline
  PooledArena(SlabTable table) {
    super(Arena.ofConfined());
    this.table = table;
  }

  @Override
  @ForceInline
  public final MemorySegment allocate(long byteSize, long byteAlignment) {
    return hasRoom(byteSize, byteAlignment)
        ? allocateInSlab((int) byteSize)
        : regular.allocate(byteSize, byteAlignment);
  }

  /**
   * As inherited. That method C2 has compiled alone, into more than it inlines, wherever other
   * arenas of the program are hot; and then each arena that comes there would be made.
   */
  @Override
  @ForceInline
  public final MemorySegment allocate(long byteSize) {
    return allocate(byteSize, 1);
  }

  /** As inherited, for the same reason. */
  @Override
  @ForceInline
  public final MemorySegment allocate(MemoryLayout layout) {
    Objects.requireNonNull(layout);
    return allocate(layout.byteSize(), layout.byteAlignment());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Alignments up to malloc's own need no rounding, since {@code used} is a multiple of it.
   */
  @Override
  @ForceInline
  final boolean hasRoom(long byteSize, long byteAlignment) {
    if (byteSize < 0
        || byteSize > table.slabByteSize()
        || byteAlignment <= 0
        || byteAlignment > NativeMemory.ALIGNMENT
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return hasRoomUnusual(byteSize, byteAlignment);
    }
    int footprint = footprint((int) byteSize);
    return used + footprint <= limit() || makeRoom(footprint);
  }

  /** Bytes that can be handed out from {@code address} on; 0 without a slab. */
  @ForceInline
  private int limit() {
    return larger == 0 ? Run.count(slab) * table.slabByteSize() : SlabTable.LARGER_BYTE_SIZE;
  }

  /** For more than a slab, alignments larger than malloc's, and what the JDK refuses. */
  @ForceInline
  private boolean hasRoomUnusual(long byteSize, long byteAlignment) {
    int needed = needed(used, byteSize, byteAlignment);
    return needed <= 0 ? sayNoTo(needed) : hasRoomAligned(needed, (int) byteAlignment);
  }

  /** Bytes from {@code used} to the end of such a request, in granules; or why there are none. */
  private static int needed(int used, long byteSize, long byteAlignment) {
    if (byteSize < 0 || byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
      return REFUSED;
    }
    if (byteSize > MOST || byteAlignment > NativeMemory.CACHE_LINE) {
      return TOO_MUCH;
    }
    return skipped(used, (int) byteAlignment) + footprint((int) byteSize);
  }

  /** Bytes to the next multiple of an alignment up to that of slabs. */
  @ForceInline
  private static int skipped(int used, int alignment) {
    return -used & (alignment - 1);
  }

  @ForceInline
  private boolean sayNoTo(int needed) {
    return needed == TOO_MUCH && mayTakeSlabs() && sayNo(TOO_LARGE);
  }

  @ForceInline
  private boolean hasRoomAligned(int needed, int alignment) {
    return (used + needed <= limit() || makeRoomUnusual(needed)) && skip(alignment);
  }

  /** Skips none where a slab has just been moved to. */
  @ForceInline
  private boolean skip(int alignment) {
    if (!mayTakeSlabs()) {
      return false;
    }
    used += skipped(used, alignment);
    return true;
  }

  /** Bytes that a segment takes from the slab: even empty ones get an address of their own. */
  @ForceInline
  private static int footprint(int byteSize) {
    int granule = NativeMemory.ALIGNMENT;
    return (Math.max(byteSize, 1) + granule - 1) & -granule;
  }

  @Override
  @ForceInline
  final MemorySegment allocateInSlab(int byteSize) {
    // Throws on a foreign thread, so before the first write.
    MemorySegment segment = NativeMemory.segment(address + used, byteSize, regular);
    used += footprint(byteSize);
    return segment;
  }

  /** Whether this is the owner, and the arena open. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @ForceInline
  private boolean mayTakeSlabs() {
    return !closed && Thread.currentThread() == owner;
  }

  /** Gets up to a slab in a row, if this arena may allocate at all and there is one. */
  @ForceInline
  private boolean makeRoom(int needed) {
    if (!mayTakeSlabs()) {
      return false;
    }
    return address == 0 ? takeSlab() : takeMore(needed);
  }

  /** As {@link #makeRoom}, but perhaps more than a slab. */
  @ForceInline
  private boolean makeRoomUnusual(int needed) {
    return needed <= table.slabByteSize() ? makeRoom(needed) : makeRoomBeyondSlab(needed);
  }

  @ForceInline
  private boolean makeRoomBeyondSlab(int needed) {
    return mayTakeSlabs() && takeMore(needed);
  }

  @ForceInline
  private boolean takeSlab() {
    ThreadSlabs slabs = table.slabsOf(owner);
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
    slab = run;
    home = slabs;
    address = start;
    return true;
  }

  @ForceInline
  private boolean takeShared() {
    int slot = acquireShared(table, owner);
    return slot == SharedSlabs.NONE ? sayNo(NONE_LEFT) : useShared(slot);
  }

  private static int acquireShared(SlabTable table, Thread owner) {
    return owner.isVirtual() ? table.shared().acquire(owner.threadId()) : SharedSlabs.NONE;
  }

  @ForceInline
  private boolean useShared(int slot) {
    int run = Run.of(slot, 1);
    address = table.shared().address(slot);
    slab = run;
    return true;
  }

  /** Takes a run, or the slabs behind those that are full; else a larger slab. */
  @ForceInline
  private boolean takeMore(int needed) {
    return (isRun(needed) && takeRun(nearby(), needed)) || moveOn(needed);
  }

  /** Whether that fits the longest run. Asked first, so that who asks for more takes less code. */
  @ForceInline
  private boolean isRun(int needed) {
    return used + needed <= table.longestRun() * table.slabByteSize();
  }

  /** Where a run can be, or be made longer: with its thread, or this one. */
  @ForceInline
  private @Nullable ThreadSlabs nearby() {
    return address == 0 ? table.slabsOf(owner) : home;
  }

  @ForceInline
  private boolean takeRun(@Nullable ThreadSlabs slabs, int needed) {
    return slabs != null && larger == 0 && use(slabs, run(slabs, needed));
  }

  @ForceInline
  private int run(ThreadSlabs slabs, int needed) {
    return acquireRun(table, owner, slabs, slab, used + needed);
  }

  /** A run for {@code byteSize} bytes, which starts with {@code run} if that has any slabs. */
  private static int acquireRun(
      SlabTable table, Thread owner, ThreadSlabs slabs, int run, int byteSize) {
    int count = (byteSize - 1) / table.slabByteSize() + 1;
    if (run == Run.NONE) {
      return slabs.acquire(count);
    }
    return isAt(owner, slabs) ? slabs.extend(run, count) : Run.NONE;
  }

  /** Takes a larger slab, if this arena has none yet. */
  @ForceInline
  private boolean moveOn(int needed) {
    return (larger != 0 || needed > SlabTable.LARGER_BYTE_SIZE)
        ? sayNo(TOO_LARGE)
        : moveOnTo(acquireLarger());
  }

  @ForceInline
  private int acquireLarger() {
    return acquireLarger(table, owner, home, used);
  }

  private static int acquireLarger(
      SlabTable table, Thread owner, @Nullable ThreadSlabs home, int outgrown) {
    if (home == null && !owner.isVirtual() && table.isYoung(owner.threadId())) {
      return SharedSlabs.NONE;
    }
    SharedSlabs pool = table.larger();
    int slot = pool.acquire(home != null ? home.threadId : owner.threadId());
    if (slot != SharedSlabs.NONE) {
      pool.setOutgrownByteSize(slot, outgrown);
    }
    return slot;
  }

  @ForceInline
  private boolean moveOnTo(int slot) {
    return slot == SharedSlabs.NONE ? sayNo(NONE_LEFT) : useLarger(slot);
  }

  @ForceInline
  private boolean useLarger(int slot) {
    address = table.larger().address(slot);
    larger = (short) (slot + 1);
    used = 0;
    return true;
  }

  @ForceInline
  private boolean sayNo(byte why) {
    if (reason == SERVED) {
      reason = why;
    }
    return false;
  }

  /** Whether nothing was asked for so far that went the regular way for lack of a slab. */
  @ForceInline
  final boolean isServedFromSlabs() {
    return reason == SERVED;
  }

  /**
   * Whether {@code owner}, the current thread, is the one that {@code slabs} belong to, or carried
   * by it; which is so until it next waits, see {@link Carrier}.
   */
  @ForceInline
  private static boolean isAt(Thread owner, ThreadSlabs slabs) {
    return !Carrier.isReachable() || !owner.isVirtual() || Carrier.currentId() == slabs.threadId;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Closes the regular arena first: it checks that this may be done now, and runs the cleanup
   * actions, which may still use the memory. Only then are slabs zeroed and given back.
   *
   * <p>While that goes on this arena takes no slabs, and can make no segments, as {@code regular}
   * is closed already; so a cleanup action that closes it again, or allocates, can't give back a
   * slab twice, or lose one.
   */
  @Override
  @SuppressWarnings("ReachabilityFenceUsage") // what fails gives nothing back
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
      afterFailedClose();
      throw failure;
    }
    giveBack();
    Reference.reachabilityFence(table); // until then PoolUpkeep may not take it for abandoned
  }

  /** Either the JDK refused to close, and all stays as it was, or a cleanup action threw. */
  private void afterFailedClose() {
    if (regular.scope().isAlive()) {
      closed = false;
    } else {
      giveBack();
    }
  }

  /** Nearly always, all was served from one run. */
  @ForceInline
  private void giveBack() {
    ThreadSlabs slabs = home;
    if ((larger | reason) != 0) {
      giveBackAll(table, owner, slabs, slab, used, larger, reason);
    } else if (slabs != null) {
      giveBackRun(table, owner, slabs, slab, address, used, 1);
    } else if (slab != Run.NONE) {
      giveBackShared(table, slab, used, 1);
    }
  }

  /**
   * Of arenas that moved on to a larger slab, or went the regular way, or both; and counts them.
   *
   * @param used of the larger slab if there is one, else of the run or shared slab
   */
  private static void giveBackAll(
      SlabTable table,
      Thread owner,
      @Nullable ThreadSlabs slabs,
      int slab,
      int used,
      short larger,
      byte reason) {
    int served = reason == SERVED ? 1 : 0;
    if (served == 0) {
      table.countRegular(owner, reason == TOO_LARGE);
    }
    int usedOfSlab = used;
    if (larger != 0) {
      usedOfSlab = giveBackLarger(table, larger - 1, used, slab == Run.NONE ? served : 0);
    }
    if (slabs != null) {
      giveBackRun(table, owner, slabs, slab, slabs.address(slab), usedOfSlab, served);
    } else if (slab != Run.NONE) {
      giveBackShared(table, slab, usedOfSlab, served);
    }
  }

  /** Returns how many bytes were used of what the arena had before. */
  private static int giveBackLarger(SlabTable table, int slot, int used, int served) {
    SharedSlabs pool = table.larger();
    int outgrown = pool.outgrownByteSize(slot);
    NativeMemory.zeroBulk(pool.address(slot), used); // less code than for a few bytes
    pool.release(slot, served);
    return outgrown;
  }

  private static void giveBackShared(SlabTable table, int slab, int used, int served) {
    SharedSlabs pool = table.shared();
    int slot = Run.first(slab);
    NativeMemory.zero(pool.address(slot), used);
    pool.release(slot, served);
  }

  @ForceInline
  private static void giveBackRun(
      SlabTable table,
      Thread owner,
      ThreadSlabs slabs,
      int run,
      long address,
      int used,
      int served) {
    NativeMemory.zero(address, used);
    if (isAt(owner, slabs)) {
      slabs.release(run, served);
    } else {
      giveBackFromElsewhere(table, slabs, run, served);
    }
  }

  /** For a virtual thread that was carried by another thread when it took the slab. */
  private static void giveBackFromElsewhere(
      SlabTable table, ThreadSlabs slabs, int run, int served) {
    slabs.releaseFromElsewhere(run);
    table.others().addServed(served);
  }
}
