package dev.rockpool.arena;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Request;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A confined arena on a block of its own. An arena of the JDK, or under the agent its session,
 * provides lifetime and confinement. The fallback, for what no block has room for, is an arena of
 * the JDK with the same scope.
 *
 * <p>An arena is opened with a block that its thread or carrier keeps, if there is one; else the
 * first allocation takes one, or allocates a fresh one of just its size. When the block is full,
 * the arena takes one larger block, kept or fresh. Beyond that the JDK serves. The arena owns its
 * blocks until it is closed. Then it zeroes what it has used of a block of a usual size, which goes
 * to the thread or carrier that closes it.
 *
 * <p>In compiled code an arena that does not escape is never created: its fields are registers. An
 * arena escapes into each method that C2 does not inline, and then is created each time, even if
 * that method is rarely called. C2 inlines a method that is called for less than every fourth arena
 * only up to 35 bytecodes (MaxInlineSize). So rarely called methods are no longer than that, or
 * static and take the arena's values; {@code MethodSizesTest} checks the sizes. Methods repeat each
 * other, because each call less lets C2 inline arenas that are opened deeper, see {@link
 * BlockPool#open(Arena)}.
 *
 * <p>The fast path decides only whether an allocation fits. A bad size or alignment does not fit,
 * and then the fallback throws. A closed arena or a foreign thread may seem to fit. So each segment
 * is made by {@code NativeMemory.confinedSegment}, which refuses both, and only then are its bytes
 * taken. Segments have the scope of {@code lifetime}, so the JDK checks each access.
 *
 * <p>Any call may throw an Error, the JVM's own at any time: then a block may be lost, but none is
 * ever in two hands. So a block is forgotten where it was before it is noted where it goes.
 *
 * <p>An escaping arena is 48 bytes, and the fields use all of them: one more would make more
 * garbage than an arena of the JDK. Only the owner writes fields. A foreign thread may read them
 * while it misuses the arena; whatever it reads leads to an exception before anything is changed.
 */
final class BlockArena implements Arena {
  /** Kept blocks have served all allocations. */
  static final byte KEPT = 0;

  /** A fresh block has served some of them. */
  static final byte FRESH = 1;

  /** The fallback has served some of them. */
  static final byte JDK = 2;

  static final int SERVED_BY = 3;

  /** More bytes than any block has, to which others can be added without overflow. */
  private static final int TOO_MUCH = 1 << 30;

  /** From {@link NativeMemory#confinedArena}; gives segments their scope, and allocates nothing. */
  private final Arena lifetime;

  private final BlockPool pool;

  /** The block in use, if {@code limit} is not 0. */
  private long block;

  /** The first block, if the arena has outgrown it; else 0. */
  private long outgrown;

  /** Bytes handed out of {@code block}; a multiple of 16. */
  private int used;

  /** Bytes in {@code block}; 0 if there is none. */
  private int limit;

  /**
   * Bytes handed out of {@code outgrown}, which is less than 8 KiB; or the negative size of a fresh
   * block, which is freed and not kept.
   */
  private short outgrownUsed;

  private byte servedBy = KEPT;

  @ForceInline
  BlockArena(BlockPool pool, Arena lifetime) {
    this.lifetime = lifetime;
    this.pool = pool;
    ThreadBlocks blocks = pool.cached();
    if (blocks != null) {
      long kept = blocks.take();
      if (kept != 0) {
        block = kept;
        limit = pool.blockByteSize();
      }
    }
  }

  @Override
  @ForceInline
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  @Override
  @ForceInline
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (!ensureRoom(byteSize, byteAlignment)) {
      return allocateOtherwise(byteSize, byteAlignment);
    }
    return commit(NativeMemory.confinedSegment(next(byteAlignment), byteSize, lifetime));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Overridden, as other methods below, because C2 compiles the inherited method alone if other
   * arenas of the program are hot. That method then exceeds C2's limit for inlining, and each arena
   * escapes into it.
   */
  @Override
  @ForceInline
  public MemorySegment allocate(long byteSize) {
    if (!ensureRoom(byteSize, 1)) {
      return allocateOtherwise(byteSize, 1);
    }
    return commit(NativeMemory.confinedSegment(next(1), byteSize, lifetime));
  }

  @ForceInline
  private MemorySegment allocateOtherwise(long byteSize, long byteAlignment) {
    return servedByJdk(fallback().allocate(byteSize, byteAlignment));
  }

  /** Notes that the JDK has served, once it has not refused. */
  @ForceInline
  private MemorySegment servedByJdk(MemorySegment segment) {
    servedBy = JDK;
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout layout) {
    Objects.requireNonNull(layout);
    return allocate(layout.byteSize(), layout.byteAlignment());
  }

  /**
   * Whether the block has room for an allocation made now by this thread; takes a larger one if
   * need be. False for arguments that are no size or no alignment.
   */
  @ForceInline
  private boolean ensureRoom(long byteSize, long byteAlignment) {
    boolean isUsual =
        (byteSize & -TOO_MUCH) == 0
            && byteAlignment > 0
            && byteAlignment <= NativeMemory.ALIGNMENT
            && (byteAlignment & (byteAlignment - 1)) == 0;
    int needed = isUsual ? footprint((int) byteSize) : neededUnusual(byteSize, byteAlignment);
    return used + needed <= limit || makeRoom(needed);
  }

  /** Handles huge sizes, alignments larger than malloc's, and requests that the JDK refuses. */
  private static int neededUnusual(long byteSize, long byteAlignment) {
    boolean isLess = byteSize < TOO_MUCH / 2 && byteAlignment < TOO_MUCH / 2;
    return isLess && Request.isValid(byteSize, byteAlignment)
        ? footprint((int) byteSize) + (int) byteAlignment - NativeMemory.ALIGNMENT
        : TOO_MUCH;
  }

  /** Returns the bytes that a segment takes; even an empty segment gets its own address. */
  @ForceInline
  private static int footprint(int byteSize) {
    int granule = NativeMemory.ALIGNMENT;
    return (Math.max(byteSize, 1) + granule - 1) & -granule;
  }

  /** Returns the address of the next allocation. */
  @ForceInline
  private long next(long byteAlignment) {
    return (block + used + byteAlignment - 1) & -byteAlignment;
  }

  /** Takes the bytes of a segment once it is made, which a foreign thread is refused. */
  @ForceInline
  private MemorySegment commit(MemorySegment segment) {
    used = (int) (segment.address() - block) + footprint((int) segment.byteSize());
    return segment;
  }

  /**
   * Returns the JDK's arena with the scope of {@code lifetime}, to allocate there. Until this is
   * first called in a JVM, C2 compiles no call of it: a class is in between that is not
   * initialized. Else a segment of either origin would leave the arena's methods, and C2 keeps such
   * a segment, and its arena, in the heap.
   */
  @ForceInline
  private Arena fallback() {
    return Fallback.of(pool, lifetime);
  }

  private static final class Fallback {
    static Arena of(BlockPool pool, Arena lifetime) {
      return pool.account().equals(Account.NONE)
          ? NativeMemory.allocating(lifetime)
          : new AccountedArena(pool.account(), lifetime);
    }
  }

  // ---- Other forms: the JDK's null checks are repeated, so that the exceptions are the same.

  /** Returns the bytes in {@code count} elements; -1 if negative or too many for any block. */
  @ForceInline
  private static long byteSize(MemoryLayout element, long count) {
    long most = Integer.MAX_VALUE;
    return count < 0 || count > most || element.byteSize() > most ? -1 : element.byteSize() * count;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfByte layout, byte value) {
    Objects.requireNonNull(layout);
    MemorySegment segment = allocate(layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfChar layout, char value) {
    Objects.requireNonNull(layout);
    MemorySegment segment = allocate(layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfShort layout, short value) {
    Objects.requireNonNull(layout);
    MemorySegment segment = allocate(layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfInt layout, int value) {
    Objects.requireNonNull(layout);
    MemorySegment segment = allocate(layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfFloat layout, float value) {
    Objects.requireNonNull(layout);
    MemorySegment segment = allocate(layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfLong layout, long value) {
    MemorySegment segment = allocate(layout); // else beyond 35 bytecodes
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfDouble layout, double value) {
    MemorySegment segment = allocate(layout); // else beyond 35 bytecodes
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(AddressLayout layout, MemorySegment value) {
    Objects.requireNonNull(layout);
    Objects.requireNonNull(value);
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Overridden, because the inherited method makes a layout first, and so ends deeper, see
   * {@link BlockPool#open(Arena)}.
   */
  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout elementLayout, long count) {
    long byteSize = byteSizeOfArray(elementLayout, count);
    if (byteSize < 0) {
      return servedByJdk(fallback().allocate(elementLayout, count));
    }
    return allocate(byteSize, elementLayout.byteAlignment());
  }

  /** As {@link #byteSize(MemoryLayout, long)}; -1, too, if elements side by side are unaligned. */
  @ForceInline
  private static long byteSizeOfArray(MemoryLayout element, long count) {
    Objects.requireNonNull(element);
    boolean isAligned = (element.byteSize() & (element.byteAlignment() - 1)) == 0;
    return isAligned ? byteSize(element, count) : -1;
  }

  /**
   * {@inheritDoc}
   *
   * <p>All array forms end here. What does not fit goes to the same method of the JDK's arena,
   * which does not zero before it copies.
   */
  @Override
  @ForceInline
  public MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    Objects.requireNonNull(source);
    Objects.requireNonNull(sourceElementLayout);
    Objects.requireNonNull(elementLayout);
    long byteSize = byteSize(elementLayout, elementCount);
    if (!ensureRoom(byteSize, elementLayout.byteAlignment())) {
      return servedByJdk(
          fallback()
              .allocateFrom(
                  elementLayout, source, sourceElementLayout, sourceOffset, elementCount));
    }
    MemorySegment copy = allocate(byteSize, elementLayout.byteAlignment());
    MemorySegment.copy(
        source, sourceElementLayout, sourceOffset, copy, elementLayout, 0, elementCount);
    return copy;
  }

  // ---- Grow: the arena takes its first block, or one larger block.

  /** Takes a block with room for {@code needed} bytes; returns false if the JDK is to serve. */
  @ForceInline
  private boolean makeRoom(int needed) {
    return canTake(needed) && NativeMemory.isOpenAndOwned(lifetime) && takeBlock(needed);
  }

  /** Whether there are blocks of that size, and this arena has not outgrown one before. */
  @ForceInline
  private boolean canTake(int needed) {
    return outgrown == 0 && needed <= BlockPool.mostBytes(pool, limit);
  }

  @ForceInline
  private boolean takeBlock(int needed) {
    return adopt(needed, limit != 0 || needed > pool.blockByteSize());
  }

  @ForceInline
  private boolean adopt(int needed, boolean isLarge) {
    return adopt(BlockPool.take(pool, needed, isLarge), needed, isLarge);
  }

  @ForceInline
  private boolean adopt(long taken, int needed, boolean isLarge) {
    return taken != 0 && adopt(taken, pool.byteSize(taken, needed, isLarge));
  }

  @ForceInline
  private boolean adopt(long taken, int byteSize) {
    retireBlock();
    markFresh(taken);
    block = taken & ~BlockPool.FRESH_TAG;
    used = 0;
    limit = byteSize;
    return true;
  }

  @ForceInline
  private void markFresh(long taken) {
    if ((taken & BlockPool.FRESH_TAG) != 0 && servedBy == KEPT) {
      servedBy = FRESH;
    }
  }

  @ForceInline
  private void retireBlock() {
    if (limit == pool.blockByteSize()) {
      retireUsualBlock();
    } else if (limit != 0) {
      outgrowFresh();
    }
  }

  /** Notes the block as outgrown, or gives it back at once if nothing was used of it. */
  @ForceInline
  private void retireUsualBlock() {
    if (used != 0) {
      outgrow(used);
      return;
    }
    limit = 0;
    keep(pool, block, 0);
  }

  @ForceInline
  private void outgrowFresh() {
    outgrow(-limit);
  }

  @ForceInline
  private void outgrow(int usedOrFreed) {
    limit = 0;
    outgrownUsed = (short) usedOrFreed;
    outgrown = block;
  }

  // ---- Give back.

  /**
   * {@inheritDoc}
   *
   * <p>Closes {@code lifetime} first, which checks that the arena may be closed, and runs the
   * cleanup actions, which may still use the memory. Only then are blocks zeroed and given back. By
   * then this arena makes no segments and takes no blocks, and can't be closed again, because
   * {@code lifetime} is closed.
   */
  @Override
  @SuppressWarnings("ReachabilityFenceUsage") // needed only if all went well
  @ForceInline
  public void close() {
    boolean wasOpen = NativeMemory.isOpen(lifetime); // not if a cleanup action closes again
    try {
      NativeMemory.close(lifetime);
    } catch (Throwable failure) {
      if (wasOpen && NativeMemory.isClosedByOwner(lifetime)) { // a cleanup action threw
        BlockPool.giveBackAll(pool, outgrown, outgrownUsed, block, used, limit, servedBy);
      }
      throw failure;
    }
    giveBack();
    Reference.reachabilityFence(pool); // kept blocks are freed once the pool is unreachable
  }

  @ForceInline
  private void giveBack() {
    if (limit == pool.blockByteSize() && outgrown == 0 && servedBy == KEPT) {
      NativeMemory.zero(block, used); // even if nothing was used: a branch costs more
      keep(pool, block, used == 0 ? 0 : 1);
    } else if (limit != 0 || outgrown != 0 || servedBy != KEPT) {
      BlockPool.giveBackAll(pool, outgrown, outgrownUsed, block, used, limit, servedBy);
    }
  }

  @ForceInline
  private static void keep(BlockPool pool, long block, int served) {
    ThreadBlocks here = pool.cached();
    if (here != null) {
      here.closed[KEPT] += served;
      here.keep(block);
    } else {
      BlockPool.keepFirst(pool, block, served);
    }
  }

  /** Whether no allocation so far has used the JDK's own arena. */
  boolean isServedByPool() {
    return servedBy != JDK;
  }
}
