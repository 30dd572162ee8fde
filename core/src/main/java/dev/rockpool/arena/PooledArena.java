package dev.rockpool.arena;

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
final class PooledArena extends SlabFirstArena {
  private final SlabTable table;
  private final Thread owner = Thread.currentThread();

  /** Where the slab came from and goes back to; null while this arena owns none. */
  private @Nullable ThreadSlabs home;

  /** Index of the slab in {@code home}, and its address. */
  private int slab;

  private long address;

  /** Bytes of the slab handed out so far, from its start; a multiple of 16. */
  private int used;

  PooledArena(SlabTable table) {
    super(Arena.ofConfined());
    this.table = table;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
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
  boolean hasRoom(long byteSize, long byteAlignment) {
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
    if (start + footprint(byteSize) > table.slabByteSize() || !isAccessible()) {
      return false;
    }
    used = start;
    return true;
  }

  /** Bytes that a segment takes from the slab: even empty ones get an address of their own. */
  private static int footprint(int byteSize) {
    int granule = NativeMemory.MALLOC_ALIGNMENT;
    return (Math.max(byteSize, 1) + granule - 1) & -granule;
  }

  /** Takes {@code byteSize} bytes that {@link #hasRoom} found free. */
  private MemorySegment allocateInSlab(int byteSize) {
    int start = used;
    // Throws on a foreign thread, so before the first write.
    MemorySegment segment = NativeMemory.segment(address + start, byteSize, regular);
    used = start + footprint(byteSize);
    return segment;
  }

  /** Makes this arena the owner of a slab, if it may allocate at all and a slab is free. */
  private boolean acquireSlab() {
    if (!isAccessible()) {
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

  private boolean isAccessible() {
    return isOwner() && regular.scope().isAlive();
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private boolean isOwner() {
    return Thread.currentThread() == owner;
  }

  @Override
  public void close() {
    if (home == null || !isOwner()) {
      regular.close();
    } else {
      closeWithSlab(home);
    }
  }

  /**
   * Closes the regular arena first: it checks that this may be done now, and runs the cleanup
   * actions, which may still use the memory. Only then is the slab zeroed and given back.
   *
   * <p>While that goes on this arena owns no slab, so that a close from within a cleanup action
   * can't give it back too.
   */
  private void closeWithSlab(ThreadSlabs slabs) {
    home = null;
    try {
      regular.close();
    } catch (Throwable failure) {
      afterFailedClose(slabs);
      throw failure;
    }
    releaseSlab(slabs);
  }

  /** Either the JDK refused to close, and all stays as it was, or a cleanup action threw. */
  private void afterFailedClose(ThreadSlabs slabs) {
    if (regular.scope().isAlive()) {
      home = slabs;
    } else {
      releaseSlab(slabs);
    }
  }

  private void releaseSlab(ThreadSlabs slabs) {
    NativeMemory.zero(address, used);
    slabs.release(slab);
  }
}
