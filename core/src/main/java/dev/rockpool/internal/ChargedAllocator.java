package dev.rockpool.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Allocates in an arena of the JDK, and charges an account before. */
public abstract class ChargedAllocator implements SegmentAllocator {
  /** Whether the JDK's arena would allocate now, for the current thread. */
  protected abstract boolean mayAllocate();

  /** Returns the JDK's arena. */
  protected abstract SegmentAllocator jdk();

  /** Charges bytes, to be refunded once the arena has freed its memory. */
  protected abstract void charge(long byteSize);

  /** Refunds bytes that were charged, and not allocated; perhaps 0. */
  protected abstract void takeBack(long byteSize);

  @Override
  public final MemorySegment allocate(long byteSize, long byteAlignment) {
    boolean isValid = Request.isValid(byteSize, byteAlignment);
    long charged = chargeIfValid(isValid ? Request.total(byteSize, byteAlignment) : -1);
    try {
      return jdk().allocate(byteSize, byteAlignment);
    } catch (OutOfMemoryError noMemory) {
      takeBack(charged);
      throw noMemory;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Overridden, because the inherited method refuses bad requests in other words than the JDK's
   * arenas. If the copy fails, the memory is allocated all the same, and so it stays charged.
   */
  @Override
  public final MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    Objects.requireNonNull(source);
    Objects.requireNonNull(sourceElementLayout);
    Objects.requireNonNull(elementLayout);
    long byteSize = Request.byteSize(elementLayout, elementCount);
    long charged =
        chargeIfValid(byteSize < 0 ? -1 : Request.total(byteSize, elementLayout.byteAlignment()));
    try {
      return jdk()
          .allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
    } catch (OutOfMemoryError noMemory) {
      takeBack(charged);
      throw noMemory;
    }
  }

  /** Charges nothing for a negative number, or where the JDK is to throw its own exception. */
  private long chargeIfValid(long byteSize) {
    if (byteSize < 0 || !mayAllocate()) {
      return 0;
    }
    charge(byteSize);
    return byteSize;
  }
}
