package dev.rockpool.arena;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Request;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A confined arena on a block of its own. An arena of the JDK, or under the agent its session,
 * provides lifetime and confinement. The fallback, for what the block has no room for, is an arena
 * of the JDK with the same scope.
 *
 * <p>In compiled code an arena that does not escape is never created: its fields are registers. An
 * arena escapes into each method that C2 does not inline, and then is created each time, even if
 * that method is rarely called. C2 inlines a method that is called for less than every fourth arena
 * only up to 35 bytecodes (MaxInlineSize). So rarely called methods are no longer than that, or
 * static and take the arena's values; {@code MethodSizesTest} checks the sizes. Methods repeat each
 * other, because each call less lets C2 inline arenas that are opened deeper, see {@link
 * BlockPool#open(Lifetime)}.
 *
 * <p>The fast path decides only whether an allocation fits. A bad size or alignment does not fit,
 * and then the fallback throws. A request to a closed arena, or by a foreign thread, may fit. So
 * each segment is made by {@code Lifetime.segment}, which refuses both, and only then are its bytes
 * taken. Segments have the scope of {@code lifetime}, so the JDK checks each access.
 *
 * <p>An escaping arena is 32 bytes, and the fields use all of them. Only the owner writes fields. A
 * foreign thread may read them while it misuses the arena; whatever it reads leads to an exception
 * before anything is changed.
 */
final class BlockArena implements Arena {
  /** More bytes than any block has, to which others can be added without overflow. */
  private static final int TOO_MUCH = 1 << 30;

  private final Lifetime lifetime;

  private final BlockPool pool;

  /** The block, or 0 if there is none. */
  private long block;

  /** Bytes handed out of the block, a multiple of 16; if there is none, the size of one. */
  private int used;

  @ForceInline
  BlockArena(BlockPool pool, Lifetime lifetime) {
    this.lifetime = lifetime;
    this.pool = pool;
    used = pool.blockByteSize();
    ThreadBlocks blocks = pool.cached();
    if (blocks != null) {
      long kept = blocks.take();
      if (kept != 0) {
        block = kept;
        used = 0;
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
    return commit(lifetime.segment(next(byteAlignment), byteSize));
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
    return commit(lifetime.segment(next(1), byteSize));
  }

  @ForceInline
  private MemorySegment allocateOtherwise(long byteSize, long byteAlignment) {
    return Fallback.of(pool, lifetime).allocate(byteSize, byteAlignment);
  }

  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout layout) {
    Objects.requireNonNull(layout);
    return allocate(layout.byteSize(), layout.byteAlignment());
  }

  /**
   * Whether the block has room for an allocation made now by this thread; takes a block if there is
   * none. False for arguments that are no size or no alignment.
   */
  @ForceInline
  private boolean ensureRoom(long byteSize, long byteAlignment) {
    boolean isUsual =
        (byteSize & -TOO_MUCH) == 0
            && byteAlignment > 0
            && byteAlignment <= NativeMemory.ALIGNMENT
            && (byteAlignment & (byteAlignment - 1)) == 0;
    int needed = isUsual ? footprint((int) byteSize) : neededUnusual(byteSize, byteAlignment);
    return used + needed <= pool.blockByteSize() || tryTakeBlock(needed);
  }

  /** Handles huge sizes, alignments larger than malloc's, and requests that the JDK refuses. */
  private static int neededUnusual(long byteSize, long byteAlignment) {
    boolean isSmall = byteSize < TOO_MUCH / 2 && byteAlignment < TOO_MUCH / 2;
    return isSmall && Request.isValid(byteSize, byteAlignment)
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
   * Finds the JDK's arena with the scope of {@code lifetime}, to allocate there. Until this is
   * first called in a JVM, C2 compiles no call of it, because the class is not initialized. Else a
   * segment of either origin would leave the arena's methods, and C2 keeps such a segment, and its
   * arena, in the heap.
   */
  private static final class Fallback {
    static SegmentAllocator of(BlockPool pool, Lifetime lifetime) {
      pool.memory().countAllocationByJdk();
      return pool.account().equals(Account.NONE)
          ? lifetime.ofJdk()
          : new AccountedArena(pool.account(), lifetime);
    }
  }

  // ---- Other forms: the JDK's null checks are repeated, so that the exceptions are the same. The
  // forms for one value are alike but for their types. Inherited, each takes 17 ns instead of 1 in
  // a
  // program whose other arenas use it, too.

  /** Returns the bytes in {@code count} elements; -1 if negative or too many for any block. */
  @ForceInline
  private static long byteSize(MemoryLayout element, long count) {
    long most = Integer.MAX_VALUE;
    return count < 0 || count > most || element.byteSize() > most ? -1 : element.byteSize() * count;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfByte layout, byte value) {
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfChar layout, char value) {
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfShort layout, short value) {
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfInt layout, int value) {
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfFloat layout, float value) {
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfLong layout, long value) {
    MemorySegment segment = allocate(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfDouble layout, double value) {
    MemorySegment segment = allocate(layout);
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
   * {@link BlockPool#open(Lifetime)}.
   */
  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout elementLayout, long count) {
    long byteSize = byteSizeOfArray(elementLayout, count);
    if (byteSize < 0) {
      return Fallback.of(pool, lifetime).allocate(elementLayout, count);
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
      return Fallback.of(pool, lifetime)
          .allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
    }
    MemorySegment copy = allocate(byteSize, elementLayout.byteAlignment());
    MemorySegment.copy(
        source, sourceElementLayout, sourceOffset, copy, elementLayout, 0, elementCount);
    return copy;
  }

  // ---- Take a block, if none was kept when the arena was opened.

  @ForceInline
  private boolean tryTakeBlock(int needed) {
    return block == 0 && needed <= pool.blockByteSize() && tryTakeBlock();
  }

  @ForceInline
  private boolean tryTakeBlock() {
    return lifetime.isOpenAndOwned() && tryAdopt(BlockPool.takeOrAllocate(pool));
  }

  @ForceInline
  private boolean tryAdopt(long taken) {
    if (taken == 0) {
      return false;
    }
    block = taken;
    used = 0;
    return true;
  }

  // ---- Close.

  /**
   * {@inheritDoc}
   *
   * <p>Closes {@code lifetime} first, which checks that the arena may be closed, and runs the
   * cleanup actions, which may still use the memory. Only then is the block zeroed and released. By
   * then this arena makes no segments and takes no block, and can't be closed again, because {@code
   * lifetime} is closed.
   */
  @Override
  @SuppressWarnings("ReachabilityFenceUsage") // releaseAfterFailure has its own
  @ForceInline
  public void close() {
    boolean wasOpen = lifetime.isOpen(); // not if a cleanup action closes again
    try {
      lifetime.close();
    } catch (Throwable failure) {
      if (wasOpen && lifetime.isClosedAndOwned()) { // a cleanup action threw
        BlockPool.releaseAfterFailure(pool, block, used);
      }
      throw failure;
    }
    release();
    Reference.reachabilityFence(pool); // kept blocks are freed once the pool is unreachable
  }

  @ForceInline
  private void release() {
    if (block != 0) {
      NativeMemory.zero(block, used); // even if nothing was used: a branch costs more
      release(pool, block, used == 0 ? 0 : 1);
    }
  }

  @ForceInline
  private static void release(BlockPool pool, long block, int arenasClosed) {
    ThreadBlocks here = pool.cached();
    if (here != null) {
      here.arenasClosed += arenasClosed;
      here.keepOrFree(block);
    } else {
      BlockPool.release(pool, block, arenasClosed);
    }
  }
}
