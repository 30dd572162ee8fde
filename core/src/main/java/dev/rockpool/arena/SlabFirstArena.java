package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Sends each way to allocate to the slab or to the regular arena, so that no byte is cleared or
 * copied twice.
 *
 * <p>The JDK's own arenas leave out zeroing where a copy follows; the methods that {@link Arena}
 * inherits for all others can't. In the slab that costs nothing, as its bytes are zero already and
 * {@link #allocate(long, long)} does not clear them again. What goes to the regular arena is
 * therefore handed over whole, to the very method that was called, short cut included.
 *
 * <p>Strings are the exception, see {@link InlinedArena}.
 *
 * <p>Nulls are found here by the check that the JDK makes, so that the exception is the same, too.
 */
abstract class SlabFirstArena implements Arena {
  /** The JDK's arena: the lifetime of this one, and the memory for what the slab can't serve. */
  final Arena regular;

  @ForceInline
  SlabFirstArena(Arena regular) {
    this.regular = regular;
  }

  /**
   * Whether the next allocation of this size and alignment, if made now by this thread, is served
   * from the slab; acquires a slab if there is none yet.
   *
   * @param byteSize any number; false for those that are no size
   * @param byteAlignment any number; false for those that are no alignment
   */
  abstract boolean hasRoom(long byteSize, long byteAlignment);

  /** Takes the bytes that {@link #hasRoom} has just found free, at the alignment asked for then. */
  abstract MemorySegment allocateInSlab(int byteSize);

  @ForceInline
  private boolean hasRoom(ValueLayout layout) {
    return hasRoom(layout.byteSize(), layout.byteAlignment());
  }

  @ForceInline
  private MemorySegment allocateInSlab(ValueLayout layout) {
    return allocateInSlab((int) layout.byteSize());
  }

  @Override
  @ForceInline
  public final MemorySegment.Scope scope() {
    return regular.scope();
  }

  /** Bytes in {@code count} elements, or -1 if they are none or too many for any slab. */
  @ForceInline
  private static long byteSize(MemoryLayout element, long count) {
    long most = Integer.MAX_VALUE;
    return count < 0 || count > most || element.byteSize() > most ? -1 : element.byteSize() * count;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfByte layout, byte value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfChar layout, char value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfShort layout, short value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfInt layout, int value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfFloat layout, float value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfLong layout, long value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(ValueLayout.OfDouble layout, double value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(AddressLayout layout, MemorySegment value) {
    Objects.requireNonNull(layout);
    if (!hasRoom(layout)) {
      return regular.allocateFrom(layout, value);
    }
    MemorySegment segment = allocateInSlab(layout);
    segment.set(layout, 0, value);
    return segment;
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
    if (!hasRoom(byteSize, elementLayout.byteAlignment())) {
      return regular.allocateFrom(
          elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
    }
    MemorySegment copy = allocateInSlab((int) byteSize);
    MemorySegment.copy(
        source, sourceElementLayout, sourceOffset, copy, elementLayout, 0, elementCount);
    return copy;
  }
}
