package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Sends each allocation to the slab or to the regular arena, so that no byte is zeroed or copied
 * twice.
 *
 * <p>The JDK's own arenas skip zeroing before a copy; the default methods that other arenas inherit
 * can't. In the slab the default costs nothing, because {@link #allocate(long, long)} does not zero
 * a slab's bytes, which are zero already. So a request for the regular arena goes to the same
 * method of that arena, and so takes its short cut.
 *
 * <p>Numbers and addresses have methods here for another reason, that of {@link
 * PooledArena#allocate(long)}: C2 compiles the inherited methods alone if other arenas of the
 * program are hot, and each arena then escapes into them.
 *
 * <p>Strings are the exception, see {@link InlinedArena}.
 *
 * <p>Null checks here are the JDK's, so that the exceptions are the same.
 */
abstract class SlabFirstArena implements Arena {
  /** From {@link NativeMemory#confinedArena}; provides the scope. */
  final Arena regular;

  @ForceInline
  SlabFirstArena(Arena regular) {
    this.regular = regular;
  }

  /**
   * Whether the slab can serve an allocation made now by this thread. Acquires slabs for it if need
   * be. False for arguments that are no size or no alignment.
   */
  abstract boolean ensureRoom(long byteSize, long byteAlignment);

  /** Takes the bytes that {@link #ensureRoom} has just found; with the same arguments. */
  abstract MemorySegment allocateInSlab(int byteSize, long byteAlignment);

  /**
   * Returns the JDK's arena with the scope of {@code regular}, to allocate there. Until this is
   * first called in a JVM, C2 compiles no call of it: a class is in between that is not
   * initialized. Else a segment of either origin would leave the arena's methods, and C2 keeps such
   * a segment, and its arena, in the heap.
   */
  @ForceInline
  final Arena fallback() {
    return Fallback.of(regular);
  }

  private static final class Fallback {
    static Arena of(Arena regular) {
      return NativeMemory.allocating(regular);
    }
  }

  @ForceInline
  private boolean ensureRoom(ValueLayout layout) {
    return ensureRoom(layout.byteSize(), layout.byteAlignment());
  }

  @Override
  @ForceInline
  public final MemorySegment.Scope scope() {
    return regular.scope();
  }

  /** Returns the bytes in {@code count} elements; -1 if negative or too many for any slab. */
  @ForceInline
  private static long byteSize(MemoryLayout element, long count) {
    long most = Integer.MAX_VALUE;
    return count < 0 || count > most || element.byteSize() > most ? -1 : element.byteSize() * count;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfByte layout, byte value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfChar layout, char value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfShort layout, short value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfInt layout, int value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfFloat layout, float value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfLong layout, long value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfDouble layout, double value) {
    Objects.requireNonNull(layout);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(AddressLayout layout, MemorySegment value) {
    Objects.requireNonNull(layout);
    Objects.requireNonNull(value);
    if (!ensureRoom(layout)) {
      return fallback().allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab((int) layout.byteSize(), layout.byteAlignment());
    segment.set(layout, 0, value);
    return segment;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Overridden, because the inherited method makes a layout first, and so ends deeper, see
   * {@link Pool#open(Arena)}.
   */
  @Override
  @ForceInline
  public MemorySegment allocate(MemoryLayout elementLayout, long count) {
    long byteSize = byteSizeOfArray(elementLayout, count);
    if (byteSize < 0) {
      return fallback().allocate(elementLayout, count);
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

  /** All array forms end here. */
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
      return fallback()
          .allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
    }
    MemorySegment copy = allocateInSlab((int) byteSize, elementLayout.byteAlignment());
    MemorySegment.copy(
        source, sourceElementLayout, sourceOffset, copy, elementLayout, 0, elementCount);
    return copy;
  }
}
