package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena with at most one slab: a regular arena of the JDK for lifetime and confinement,
 * and for everything that does not fit.
 *
 * <p>The fast path decides only "yes, this fits". Bad sizes, bad alignments, a closed arena and a
 * foreign thread are all a no, and then {@code regular} allocates or throws, just as it always did.
 * Segments in the slab are made with {@code regular} as their arena, so the JDK checks on each
 * access that it is open and that the thread is its owner.
 *
 * <p>In compiled code an arena that does not escape is never created: its fields are registers. So
 * methods are small, failures are found by comparison, and whatever is rare is in a method of its
 * own.
 *
 * <p>Fields are written by {@code owner} alone. Another thread may read them while it misuses the
 * arena; what it reads leads it to {@code regular}, which throws, before anything is changed.
 */
sealed class PooledArena extends SlabFirstArena permits InlinedArena {
  private final SlabTable table;
  private final Thread owner = Thread.currentThread();

  /** Where the slab came from and goes back to; null while this arena owns none. */
  private @Nullable ThreadSlabs home;

  /** Index of the slab in {@code home}, and its address. */
  private int slab;

  private long address;

  /** Bytes of the slab handed out so far, from its start; a multiple of 16. */
  private int used;

  /** Whether {@code regular} is closed, or being closed: then this arena takes no slab any more. */
  private boolean closed;

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
    if (byteSize < 0 || byteSize > table.slabByteSize()) {
      return false;
    }
    if (byteAlignment <= 0
        || byteAlignment > NativeMemory.MALLOC_ALIGNMENT
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return hasRoomAligned((int) byteSize, byteAlignment);
    }
    return home == null ? acquireSlab() : used + footprint((int) byteSize) <= table.slabByteSize();
  }

  /** For alignments larger than malloc's, up to that of the slab itself: skips to the next one. */
  private boolean hasRoomAligned(int byteSize, long byteAlignment) {
    if (byteAlignment <= 0
        || byteAlignment > NativeMemory.CACHE_LINE
        || Long.bitCount(byteAlignment) != 1
        || (home == null && !acquireSlab())) {
      return false;
    }
    int alignment = (int) byteAlignment;
    int start = (used + alignment - 1) & -alignment;
    if (start + footprint(byteSize) > table.slabByteSize() || !isOwner()) {
      return false;
    }
    used = start;
    return true;
  }

  /** Bytes that a segment takes from the slab: even empty ones get an address of their own. */
  @ForceInline
  private static int footprint(int byteSize) {
    int granule = NativeMemory.MALLOC_ALIGNMENT;
    return (Math.max(byteSize, 1) + granule - 1) & -granule;
  }

  @Override
  @ForceInline
  final MemorySegment allocateInSlab(int byteSize) {
    int start = used;
    // Throws on a foreign thread, so before the first write.
    MemorySegment segment = NativeMemory.segment(address + start, byteSize, regular);
    used = start + footprint(byteSize);
    return segment;
  }

  /** Makes this arena the owner of a slab, if it may allocate at all and a slab is free. */
  @ForceInline
  private boolean acquireSlab() {
    if (closed || !isOwner()) {
      return false;
    }
    ThreadSlabs slabs = table.slabsOf(owner);
    if (slabs == null) {
      return false;
    }
    int acquired = slabs.acquire();
    if (acquired < 0) {
      return false;
    }
    slab = acquired;
    address = slabs.address(acquired);
    home = slabs;
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  @ForceInline
  private boolean isOwner() {
    return Thread.currentThread() == owner;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Closes the regular arena first: it checks that this may be done now, and runs the cleanup
   * actions, which may still use the memory. Only then is the slab zeroed and given back.
   *
   * <p>While that goes on this arena owns no slab and takes none, so that a cleanup action that
   * closes it again, or allocates, can't give back a slab twice, or lose one.
   */
  @Override
  @ForceInline
  public final void close() {
    if (!isOwner()) {
      regular.close();
      return;
    }
    ThreadSlabs slabs = home;
    home = null;
    closed = true;
    try {
      regular.close();
    } catch (Throwable failure) {
      afterFailedClose(slabs);
      throw failure;
    }
    if (slabs != null) {
      releaseSlab(slabs);
    }
  }

  /** Either the JDK refused to close, and all stays as it was, or a cleanup action threw. */
  private void afterFailedClose(@Nullable ThreadSlabs slabs) {
    if (regular.scope().isAlive()) {
      home = slabs;
      closed = false;
    } else if (slabs != null) {
      releaseSlab(slabs);
    }
  }

  @ForceInline
  private void releaseSlab(ThreadSlabs slabs) {
    NativeMemory.zero(address, used);
    slabs.release(slab);
  }
}
