package dev.rockpool.arena;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.ThreadRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of one platform thread: equal pieces of one native allocation, and a bit for each.
 * Arenas take runs of adjacent slabs, mostly of one slab.
 *
 * <p>While the thread lives, only code on the thread itself changes {@code taken}, so the fast path
 * needs nothing atomic. Such code includes the virtual threads that the thread carries, one at a
 * time. {@link Carrier} explains why none of them can be unmounted half-way. A virtual thread that
 * closes its arena on another carrier sets the bit in {@code returned}, which is atomic. The thread
 * itself then clears the bit in {@code taken} when it next lacks a free slab, takes or extends a
 * run, or releases beside others.
 *
 * <p>After the thread has ended, {@link SlabRegistry} may pass its free slabs on. The registry
 * reads {@code taken} once {@link Thread#isAlive()} is false, which happens after all actions of
 * the thread. The heir shares {@code returned}, so a slab that is returned late is not lost.
 *
 * <p>Invariant: each of the {@code count} slabs is in one of four states. A free or returned slab
 * is all zeroes, and no arena uses it.
 *
 * <pre>
 *   free       taken 0, returned 0
 *   owned      taken 1, returned 0   by one arena, for ever if the arena is never closed
 *   abandoned  as owned; stack or heap ended in the close of the arena in abandonedBy
 *   returned   taken 1, returned 1   until the thread collects it
 * </pre>
 *
 * A slab's bit in {@code taken} is set before the slab is used. After the slab was zeroed, that bit
 * is cleared, or the bit in {@code returned} is set. So a failure in between never hands a slab out
 * twice. {@link #returnAbandoned} returns abandoned slabs.
 */
final class ThreadSlabs extends ThreadRegistry.Entry<ThreadSlabs> {
  /** Bytes by which malloc's alignment may fall short of the slabs' alignment. */
  private static final int ALIGNMENT_SLACK = NativeMemory.CACHE_LINE - NativeMemory.ALIGNMENT;

  private static final int FIRST_SLAB = Run.of(0, 1);

  /** Address of the native allocation, to be freed. */
  private final long allocation;

  final long base;
  final int slabByteSize;
  private final int count;

  /** Bit i is set while slab i is owned or returned. */
  private long taken;

  /** Bit i is set while slab i is returned; shared with the predecessor of these slabs. */
  private final AtomicLong returned;

  /** As {@link SharedSlabs#abandonedBy}; shared with the predecessor, too. */
  final @Nullable Object[] abandonedBy;

  /** Bit i is set if slab i was abandoned at the last look; guarded by {@link SlabRegistry}. */
  private long abandonedAtLastLook;

  /** Closed arenas served from here. Written by the thread, read by others without a lock. */
  long served;

  /** Arenas of the thread itself that used the fallback, because the request was too large. */
  long tooLarge;

  /** Arenas of the thread itself that used the fallback, because no slab was free. */
  long noneLeft;

  /** Whether virtual threads use these slabs. */
  boolean isOfCarrier;

  private ThreadSlabs(Thread thread, long allocation, int slabByteSize, int count) {
    super(thread);
    this.allocation = allocation;
    this.base = aligned(allocation);
    this.slabByteSize = slabByteSize;
    this.count = count;
    this.returned = new AtomicLong();
    this.abandonedBy = new Object[count];
  }

  private ThreadSlabs(Thread heir, ThreadSlabs left) {
    super(heir);
    this.allocation = left.allocation;
    this.base = left.base;
    this.slabByteSize = left.slabByteSize;
    this.count = left.count;
    this.taken = left.taken;
    this.returned = left.returned;
    this.abandonedBy = left.abandonedBy;
    this.abandonedAtLastLook = left.abandonedAtLastLook;
    this.served = left.served;
    this.tooLarge = left.tooLarge;
    this.noneLeft = left.noneLeft;
  }

  /**
   * Allocates slabs for {@code thread}, zeroed.
   *
   * @return null if memory runs out
   */
  static @Nullable ThreadSlabs allocate(Thread thread, int slabByteSize, int count) {
    long allocation = NativeMemory.allocateZeroed(byteSize(slabByteSize, count));
    if (allocation == 0) {
      return null;
    }
    try {
      return new ThreadSlabs(thread, allocation, slabByteSize, count);
    } catch (Throwable failure) {
      NativeMemory.free(allocation);
      throw failure;
    }
  }

  /** Returns the size of the native memory of {@code count} slabs, in bytes. */
  static long byteSize(int slabByteSize, int count) {
    return (long) slabByteSize * count + ALIGNMENT_SLACK;
  }

  /** Returns where the slabs of a native allocation start. */
  static long aligned(long allocation) {
    return (allocation + ALIGNMENT_SLACK) & -NativeMemory.CACHE_LINE;
  }

  /** Passes the slabs of an ended thread to {@code heir}; slabs still owned remain owned. */
  ThreadSlabs passTo(Thread heir) {
    return new ThreadSlabs(heir, this);
  }

  /**
   * Whether {@code current}, the current thread, is the thread of these slabs, or is carried by it.
   * Only for slabs that {@code current} acquired. The answer is valid until the thread next waits,
   * see {@link Carrier}.
   */
  @ForceInline
  boolean areAt(Thread current) {
    return !Carrier.isReachable() || !current.isVirtual() || Carrier.currentId() == threadId;
  }

  /**
   * Makes a free slab owned for an arena that may never allocate. So the last slabs, half of them
   * or more, are left to arenas that do. Inlined where arenas are opened, and therefore short.
   *
   * <p>Here and below nothing is called after the change of {@code taken}, nor may the arena call
   * anything before it has noted the run: if the stack ended there, nobody would know of the slab.
   *
   * @return a run of one, or {@link Run#NONE}
   */
  @ForceInline
  int acquireEarly() {
    // Nearly always no other arena of the thread owns a slab. A branch, rather than computing with
    // the bits, so that the new value does not depend on the store of the last release.
    if (taken == 0 && count > 1) {
      taken = 1;
      return FIRST_SLAB;
    }
    return acquireEarlyBesideOthers();
  }

  private int acquireEarlyBesideOthers() {
    int index = Long.numberOfTrailingZeros(~taken);
    if (index >= count >> 1) {
      return returned.getOpaque() == 0 ? Run.NONE : acquireEarlyOfReturned();
    }
    return acquireAt(index);
  }

  private int acquireEarlyOfReturned() {
    collect();
    int index = Long.numberOfTrailingZeros(~taken);
    return index >= count >> 1 ? Run.NONE : acquireAt(index);
  }

  private int acquireAt(int index) {
    int run = Run.of(index, 1);
    taken |= 1L << index;
    return run;
  }

  /**
   * Makes a free slab owned.
   *
   * @return a run of one, or {@link Run#NONE} if no slab is free
   */
  @ForceInline
  int acquireOne() {
    if (taken == 0) { // for the reason above
      taken = 1;
      return FIRST_SLAB;
    }
    return acquireOneBesideOthers();
  }

  private int acquireOneBesideOthers() {
    int index = Long.numberOfTrailingZeros(~taken);
    if (index >= count) {
      return returned.getOpaque() == 0 ? Run.NONE : acquire(1);
    }
    return acquireAt(index);
  }

  /**
   * Makes a run of free slabs owned.
   *
   * @param slabs number of slabs, at least one
   * @return the run, or {@link Run#NONE} if there are not as many adjacent free slabs
   */
  int acquire(int slabs) {
    collect();
    for (int first = 0; first <= count - slabs; first++) {
      int run = Run.of(first, slabs);
      if ((taken & Run.bits(run)) == 0) {
        taken |= Run.bits(run);
        return run;
      }
    }
    return Run.NONE;
  }

  /**
   * Extends an owned run at its end.
   *
   * @param slabs number of slabs in the longer run
   * @return the longer run; or {@link Run#NONE} if the next slabs are not free or do not exist
   */
  int extend(int run, int slabs) {
    int longer = Run.of(Run.first(run), slabs);
    if (!Run.isWithin(longer, count)) {
      return Run.NONE;
    }
    collect();
    long more = Run.bits(longer) & ~Run.bits(run);
    if ((taken & more) != 0) {
      return Run.NONE;
    }
    taken |= more;
    return longer;
  }

  /**
   * Makes an owned run free, on the thread itself. The caller has zeroed the run.
   *
   * @param served number to add to the count of arenas
   * @throws IllegalStateException if any slab of the run is free, or returned (which is not checked
   *     if only slab 0 is taken); then nothing changes
   */
  @ForceInline
  void release(int run, int served) {
    if (run == FIRST_SLAB && taken == 1) {
      taken = 0;
    } else {
      releaseBesideOthers(run);
    }
    this.served += served;
  }

  private void releaseBesideOthers(int run) {
    collect();
    long bits = Run.bits(run);
    if (!Run.isWithin(run, count) || (taken & bits) != bits) {
      throw notOwned(run);
    }
    taken &= ~bits;
  }

  /**
   * Makes an owned run returned: for virtual threads that have changed their carrier. The caller
   * has zeroed the run.
   *
   * @throws IllegalStateException if any slab of the run is already returned, or does not exist;
   *     then nothing changes
   */
  void releaseFromElsewhere(int run) {
    if (!Run.isWithin(run, count)) {
      throw notOwned(run);
    }
    long bits = Run.bits(run);
    long before;
    do {
      before = returned.get();
      if ((before & bits) != 0) {
        throw notOwned(run);
      }
    } while (!returned.compareAndSet(before, before | bits));
  }

  /**
   * Releases slabs that an arena found, but never used.
   *
   * @param run the arena's run, which {@code found} extends; or {@link Run#NONE}
   */
  void releaseFound(Thread current, int run, int found) {
    int used = Run.count(run);
    int unused = Run.of(Run.first(found) + used, Run.count(found) - used);
    if (areAt(current)) {
      release(unused, 0);
    } else {
      releaseFromElsewhere(unused);
    }
  }

  private IllegalStateException notOwned(int run) {
    return new IllegalStateException(
        "Slabs must be released once, by the arena that acquired them: released="
            + Run.toString(run)
            + ", slabs="
            + count
            + ", owned="
            + Long.toBinaryString(taken & ~returned.get()));
  }

  /** Makes returned slabs free; call on the thread itself, or after its end. */
  private void collect() {
    if (returned.getOpaque() != 0) {
      taken &= ~returned.getAndSet(0);
    }
  }

  /**
   * Zeroes and returns the slabs that were abandoned at the last look, too, a second ago: meanwhile
   * all accesses of their arenas have reached memory. Only one thread may call this.
   */
  void returnAbandoned() {
    long abandoned = 0;
    for (int index = 0; index < count; index++) {
      if (!SharedSlabs.isUnused(abandonedBy, index)) {
        continue;
      }
      if ((abandonedAtLastLook & 1L << index) == 0) {
        abandoned |= 1L << index;
        continue;
      }
      int run = Run.of(index, 1);
      NativeMemory.zeroBulk(address(run), slabByteSize);
      abandonedBy[index] = null;
      releaseFromElsewhere(run);
    }
    abandonedAtLastLook = abandoned;
  }

  /** Returns the start of a run. */
  @ForceInline
  long address(int run) {
    return base + (long) (run >> Run.FIRST_SHIFT) * slabByteSize;
  }

  /**
   * Frees the native memory unless a slab is owned, because segments of open arenas may be alive.
   * For slabs that no thread uses any more. Should a finalizer use them all the same, it finds none
   * free.
   */
  boolean freeIfUnowned() {
    if (owned() != 0) {
      return false;
    }
    collect();
    taken = Run.bits(Run.of(0, count));
    NativeMemory.free(allocation);
    return true;
  }

  /** Whether any slab is free or returned. */
  boolean hasFree() {
    return owned() < count;
  }

  /** Returns the number of slabs owned by arenas. */
  int owned() {
    return Long.bitCount(taken & ~returned.get());
  }

  /** Returns the size of the native memory of these slabs, in bytes. */
  long byteSize() {
    return byteSize(slabByteSize, count);
  }

  /** Checks the class's invariant; call on the thread itself or after its end. */
  void checkInvariants() {
    long all = Run.bits(Run.of(0, count));
    if ((taken & ~all) != 0) {
      throw new AssertionError("owned slabs beyond the last: " + Long.toBinaryString(taken));
    }
    long late = returned.get();
    if ((late & ~taken) != 0) {
      throw new AssertionError("returned, but not taken: " + Long.toBinaryString(late & ~taken));
    }
    for (int index = 0; index < count; index++) {
      if ((taken & ~late & 1L << index) == 0) {
        NativeMemory.checkZero(address(Run.of(index, 1)), slabByteSize, "free slab " + index);
      }
    }
  }

  /**
   * Adjacent slabs of one {@link ThreadSlabs}: the index of the first slab and the number of slabs,
   * packed into one {@code int}. An escaping arena has no room for a larger field, see {@link
   * PooledArena}.
   */
  static final class Run {
    /** No slab. */
    static final int NONE = 0;

    static final int FIRST_SHIFT = 8;
    static final int COUNT_MASK = (1 << FIRST_SHIFT) - 1;

    private Run() {}

    @ForceInline
    static int of(int first, int count) {
      return first << FIRST_SHIFT | count;
    }

    @ForceInline
    static int first(int run) {
      return run >> FIRST_SHIFT;
    }

    @ForceInline
    static int count(int run) {
      return run & COUNT_MASK;
    }

    /** Whether {@code run} has slabs, and all have an index below {@code slabs}. */
    @ForceInline
    static boolean isWithin(int run, int slabs) {
      return run > 0 && (run >> FIRST_SHIFT) + (run & COUNT_MASK) <= slabs;
    }

    /** Returns a set of bits, bit i for slab i, for a run that is not empty. */
    @ForceInline
    static long bits(int run) {
      return (-1L >>> -count(run)) << first(run); // shifts count modulo 64
    }

    static String toString(int run) {
      return count(run) + " from " + first(run);
    }
  }
}
