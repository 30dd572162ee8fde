package dev.rockpool.arena;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Malloc;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
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
 * <p>In compiled code an arena that does not escape is never created: its fields are registers. So
 * methods are small, failures are found by comparison, and whatever is rare is in a method of its
 * own. One that escapes takes 48 bytes, which with the fields below it fills: with one more its
 * garbage would exceed that of the JDK's arenas.
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
        || byteAlignment > Malloc.ALIGNMENT
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
    if (byteSize < 0 || byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
      return false;
    }
    if (byteSize > MOST || byteAlignment > NativeMemory.CACHE_LINE) {
      return mayTakeSlabs() && sayNo(TOO_LARGE);
    }
    int footprint = footprint((int) byteSize);
    if (byteAlignment > Malloc.ALIGNMENT) {
      return hasRoomAligned(footprint, (int) byteAlignment);
    }
    return used + footprint <= limit() || makeRoom(footprint);
  }

  /** Skips to the next multiple of an alignment up to that of slabs. */
  private boolean hasRoomAligned(int footprint, int alignment) {
    int skipped = -used & (alignment - 1);
    if (used + skipped + footprint > limit() && !makeRoom(skipped + footprint)) {
      return false;
    }
    if (!mayTakeSlabs()) {
      return false;
    }
    used += -used & (alignment - 1); // none where a slab has just been moved to
    return true;
  }

  /** Bytes that a segment takes from the slab: even empty ones get an address of their own. */
  @ForceInline
  private static int footprint(int byteSize) {
    int granule = Malloc.ALIGNMENT;
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

  /** Gets {@code footprint} bytes in a row, if this arena may allocate at all and they are free. */
  @ForceInline
  private boolean makeRoom(int footprint) {
    if (!mayTakeSlabs()) {
      return false;
    }
    if (address != 0) {
      return growInPlace(footprint) || acquireLarger(footprint);
    }
    if (footprint > table.slabByteSize()) {
      return acquireRun(footprint) || acquireLarger(footprint);
    }
    ThreadSlabs slabs = table.slabsOf(owner);
    return (slabs != null && use(slabs, slabs.acquireOne())) || acquireShared();
  }

  @ForceInline
  private boolean acquireRun(int footprint) {
    int count = slabsFor(footprint);
    if (count > table.longestRun()) {
      return false;
    }
    ThreadSlabs slabs = table.slabsOf(owner);
    return slabs != null && use(slabs, slabs.acquire(count));
  }

  @ForceInline
  private int slabsFor(int byteSize) {
    return (byteSize - 1) / table.slabByteSize() + 1;
  }

  @ForceInline
  private boolean use(ThreadSlabs slabs, int run) {
    if (run == Run.NONE) {
      return false;
    }
    slab = run;
    home = slabs;
    address = slabs.address(run);
    return true;
  }

  @ForceInline
  private boolean acquireShared() {
    int slot = owner.isVirtual() ? table.shared().acquire(owner.threadId()) : SharedSlabs.NONE;
    if (slot == SharedSlabs.NONE) {
      return sayNo(NONE_LEFT);
    }
    slab = Run.of(slot, 1);
    address = table.shared().address(slot);
    return true;
  }

  /** Takes the slabs behind those that are full, if it is on their thread and they are free. */
  @ForceInline
  private boolean growInPlace(int footprint) {
    ThreadSlabs slabs = home;
    if (slabs == null || larger != 0) {
      return false;
    }
    int count = slabsFor(used + footprint);
    if (count > table.longestRun() || !isAt(slabs)) {
      return false;
    }
    int longer = slabs.extend(slab, count);
    if (longer == Run.NONE) {
      return false;
    }
    slab = longer;
    return true;
  }

  @ForceInline
  private boolean acquireLarger(int footprint) {
    SharedSlabs pool = table.larger();
    if (larger != 0 || footprint > pool.slabByteSize()) {
      return sayNo(TOO_LARGE);
    }
    ThreadSlabs nearby = home;
    int slot = pool.acquire(nearby != null ? nearby.threadId : owner.threadId());
    if (slot == SharedSlabs.NONE) {
      return sayNo(NONE_LEFT);
    }
    pool.setOutgrownByteSize(slot, used);
    larger = (short) (slot + 1);
    address = pool.address(slot);
    used = 0;
    return true;
  }

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
   * Whether the current thread is the one that {@code slabs} belong to, or carried by it; which is
   * so until it next waits, see {@link Carrier}.
   */
  @ForceInline
  private boolean isAt(ThreadSlabs slabs) {
    return !Carrier.isReachable()
        || !owner.isVirtual()
        || Carrier.current().threadId() == slabs.threadId;
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
      giveBackAll();
    } else if (slabs != null) {
      giveBackRun(slabs, address, used, 1);
    } else if (slab != Run.NONE) {
      giveBackShared(used, 1);
    }
  }

  /** Of arenas that moved on to a larger slab, or went the regular way, or both. */
  @ForceInline
  private void giveBackAll() {
    int served = reason == SERVED ? 1 : 0;
    if (served == 0) {
      table.countRegular(owner, reason == TOO_LARGE);
    }
    int usedOfSlab = larger == 0 ? used : giveBackLarger(slab == Run.NONE ? served : 0);
    ThreadSlabs slabs = home;
    if (slabs != null) {
      giveBackRun(slabs, slabs.address(slab), usedOfSlab, served);
    } else if (slab != Run.NONE) {
      giveBackShared(usedOfSlab, served);
    }
  }

  /** Returns how many bytes were used of what the arena had before. */
  @ForceInline
  private int giveBackLarger(int served) {
    SharedSlabs pool = table.larger();
    int slot = larger - 1;
    int outgrown = pool.outgrownByteSize(slot);
    NativeMemory.zero(address, used);
    pool.release(slot, served);
    return outgrown;
  }

  @ForceInline
  private void giveBackShared(int usedOfSlab, int served) {
    SharedSlabs pool = table.shared();
    int slot = Run.first(slab);
    NativeMemory.zero(pool.address(slot), usedOfSlab);
    pool.release(slot, served);
  }

  @ForceInline
  private void giveBackRun(ThreadSlabs slabs, long start, int usedOfRun, int served) {
    NativeMemory.zero(start, usedOfRun);
    if (isAt(slabs)) {
      slabs.release(slab, served);
    } else {
      giveBackFromElsewhere(slabs, served);
    }
  }

  /** For a virtual thread that was carried by another thread when it took the slab. */
  private void giveBackFromElsewhere(ThreadSlabs slabs, int served) {
    slabs.releaseFromElsewhere(slab);
    table.others().addServed(served);
  }
}
