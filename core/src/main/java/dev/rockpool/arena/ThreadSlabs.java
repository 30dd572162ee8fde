package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;

/**
 * The slabs of one thread: a row of equal pieces of one native allocation, and a bit for each.
 *
 * <p>Only the thread itself changes {@code taken}, so nothing here is atomic. After the thread has
 * ended, {@link SlabRegistry} may pass its free slabs on: it reads {@code taken} once {@link
 * Thread#isAlive()} is false, which happens after everything that the thread did.
 *
 * <p>Conservation: bits of {@code taken} set, plus bits clear, make the {@code count} slabs; a slab
 * whose bit is clear is zero throughout and in nobody's hands. A bit is set before the slab is used
 * and cleared after it was zeroed, so a failure in between (a stack overflow, say) costs one slab
 * and never hands one out twice.
 */
final class ThreadSlabs {
  final long threadId;
  private final WeakReference<Thread> thread;

  /** Owns the native memory; shared, so that any thread may free it. */
  private final Arena backing;

  private final long base;
  private final int slabByteSize;
  private final int count;

  /** Bit i is set while slab i is owned by an arena, or lost with one that was never closed. */
  private long taken;

  private ThreadSlabs(
      Thread thread, Arena backing, long base, int slabByteSize, int count, long taken) {
    this.threadId = thread.threadId();
    this.thread = new WeakReference<>(thread);
    this.backing = backing;
    this.base = base;
    this.slabByteSize = slabByteSize;
    this.count = count;
    this.taken = taken;
  }

  /** New slabs for {@code thread}: fresh native memory, zeroed by its allocation. */
  static ThreadSlabs allocate(Thread thread, int slabByteSize, int count) {
    Arena backing = Arena.ofShared();
    try {
      long byteSize = (long) slabByteSize * count;
      long base = backing.allocate(byteSize, NativeMemory.CACHE_LINE).address();
      return new ThreadSlabs(thread, backing, base, slabByteSize, count, 0);
    } catch (Throwable failure) {
      backing.close();
      throw failure;
    }
  }

  /** The slabs of an ended thread, for {@code heir} from now on; those still owned stay so. */
  ThreadSlabs passTo(Thread heir) {
    return new ThreadSlabs(heir, backing, base, slabByteSize, count, taken);
  }

  /** Whether the thread has ended, so that what it left may be passed on. */
  boolean isOrphaned() {
    Thread owner = thread.get();
    return owner == null || !owner.isAlive();
  }

  /**
   * Makes a free slab owned.
   *
   * @return its index, or -1 if none is free
   */
  @ForceInline
  int acquire() {
    // Nearly always no other arena of the thread holds a slab. Deciding that by a branch, rather
    // than computing with the bits, keeps the store of the last release out of the data flow of
    // this acquire: half a nanosecond of waiting for the store buffer.
    if (taken == 0) {
      taken = 1;
      return 0;
    }
    return acquireBesideOthers();
  }

  private int acquireBesideOthers() {
    int index = Long.numberOfTrailingZeros(~taken);
    if (index >= count) {
      return -1;
    }
    taken |= 1L << index;
    return index;
  }

  /**
   * Makes an owned slab free. The caller has zeroed it.
   *
   * @throws IllegalStateException if slab {@code index} is not owned; then nothing changes
   */
  @ForceInline
  void release(int index) {
    if (index == 0 && taken == 1) {
      taken = 0;
    } else {
      releaseBesideOthers(index);
    }
  }

  private void releaseBesideOthers(int index) {
    // The range first: shifts count modulo 64.
    if (index < 0 || index >= count || (taken >>> index & 1) == 0) {
      throw notOwned(index);
    }
    taken &= ~(1L << index);
  }

  private IllegalStateException notOwned(int index) {
    return new IllegalStateException(
        "A slab is released once, by the arena that acquired it: slab="
            + index
            + ", slabs="
            + count
            + ", owned="
            + Long.toBinaryString(taken));
  }

  /** Where slab {@code index} starts. */
  @ForceInline
  long address(int index) {
    return base + (long) index * slabByteSize;
  }

  /** Frees the native memory if no slab is owned, as segments may outlive their arena. */
  boolean freeIfUnowned() {
    if (taken != 0) {
      return false;
    }
    backing.close();
    return true;
  }

  /** Whether any slab is free. */
  boolean hasFree() {
    return owned() < count;
  }

  /** How many slabs are owned by arenas. */
  int owned() {
    return Long.bitCount(taken);
  }

  /** Checks what the class comment promises, on the thread itself or after its end. */
  void checkInvariants() {
    if (count < Long.SIZE && taken >>> count != 0) {
      throw new AssertionError("owned slabs beyond the last: " + Long.toBinaryString(taken));
    }
    for (int index = 0; index < count; index++) {
      if ((taken >>> index & 1) == 0) {
        checkZero(index);
      }
    }
  }

  private void checkZero(int index) {
    MemorySegment slab = NativeMemory.segment(address(index), slabByteSize, backing);
    for (long offset = 0; offset < slabByteSize; offset += Long.BYTES) {
      if (slab.get(ValueLayout.JAVA_LONG_UNALIGNED, offset) != 0) {
        throw new AssertionError("free slab " + index + " holds data at byte " + offset);
      }
    }
  }
}
