package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.ThreadRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of one platform thread: a row of equal pieces of one native allocation, and a bit for
 * each. Arenas take runs of adjacent slabs, mostly of one.
 *
 * <p>Only code that runs on the thread itself changes {@code taken}, so the fast path has nothing
 * atomic in it. That includes the virtual threads that it carries, one at a time: see {@link
 * dev.rockpool.internal.Carrier} for why none of them can be unmounted half-way through. A virtual
 * thread that closes its arena on another carrier says so in {@code returned}, which is atomic, and
 * the thread itself clears the bits of {@code taken} when it next finds slabs missing.
 *
 * <p>After the thread has ended, {@link SlabRegistry} may pass its free slabs on: it reads {@code
 * taken} once {@link Thread#isAlive()} is false, which happens after everything that the thread
 * did. {@code returned} goes along to the heir, so a slab that comes back late is not lost.
 *
 * <p>Conservation: each of the {@code count} slabs is in one of three states, and a slab that is
 * free or returned is zero throughout and in nobody's hands.
 *
 * <pre>
 *   free      taken 0, returned 0
 *   owned     taken 1, returned 0   by one arena, or lost with one that was never closed
 *   returned  taken 1, returned 1   until the thread collects it
 * </pre>
 *
 * A bit of {@code taken} is set before the slab is used, and cleared (or that of {@code returned}
 * set) after it was zeroed, so a failure in between (a stack overflow, say) costs slabs and never
 * hands one out twice.
 */
final class ThreadSlabs extends ThreadRegistry.Entry<ThreadSlabs> {
  /** What malloc's alignment may lack of that of slabs. */
  private static final int ALIGNMENT_SLACK = NativeMemory.CACHE_LINE - NativeMemory.ALIGNMENT;

  private static final int FIRST_SLAB = Run.of(0, 1);

  /** What calloc returned, to be freed. */
  private final long allocation;

  private final long base;
  private final int slabByteSize;
  private final int count;

  /** Bit i is set while slab i is owned or returned. */
  private long taken;

  /** Bit i is set while slab i is returned; shared with what this was passed on from. */
  private final AtomicLong returned;

  /** Arenas that were served from here and closed. Exact to the thread, read by others at will. */
  long served;

  /** Arenas of the thread itself that were served the regular way: too large, none left. */
  long tooLarge;

  long noneLeft;

  private ThreadSlabs(Thread thread, long allocation, int slabByteSize, int count) {
    super(thread);
    this.allocation = allocation;
    this.base = (allocation + ALIGNMENT_SLACK) & -NativeMemory.CACHE_LINE;
    this.slabByteSize = slabByteSize;
    this.count = count;
    this.returned = new AtomicLong();
  }

  private ThreadSlabs(Thread heir, ThreadSlabs left) {
    super(heir);
    this.allocation = left.allocation;
    this.base = left.base;
    this.slabByteSize = left.slabByteSize;
    this.count = left.count;
    this.taken = left.taken;
    this.returned = left.returned;
    this.served = left.served;
    this.tooLarge = left.tooLarge;
    this.noneLeft = left.noneLeft;
  }

  /**
   * New slabs for {@code thread}: fresh native memory, zeroed by its allocation.
   *
   * @return null if there is no memory left
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

  /** Native memory behind {@code count} slabs (in bytes). */
  static long byteSize(int slabByteSize, int count) {
    return (long) slabByteSize * count + ALIGNMENT_SLACK;
  }

  /** The slabs of an ended thread, for {@code heir} from now on; those still owned stay so. */
  ThreadSlabs passTo(Thread heir) {
    return new ThreadSlabs(heir, this);
  }

  /**
   * Makes a free slab owned. All of it is inlined where arenas are opened, so it is short.
   *
   * @return a run of one, or {@link Run#NONE} if none is free
   */
  @ForceInline
  int acquireOne() {
    // Nearly always no other arena of the thread holds a slab. Deciding that by a branch, rather
    // than computing with the bits, keeps the store of the last release out of the data flow of
    // this acquire: half a nanosecond of waiting for the store buffer.
    if (taken == 0) {
      taken = 1;
      return FIRST_SLAB;
    }
    return acquireOneBesideOthers();
  }

  private int acquireOneBesideOthers() {
    int index = Long.numberOfTrailingZeros(~taken);
    if (index >= count) {
      return acquire(1);
    }
    taken |= 1L << index;
    return Run.of(index, 1);
  }

  /**
   * Makes a run of free slabs owned.
   *
   * @param slabs how many, at least one
   * @return the run, or {@link Run#NONE} if there are not as many free ones side by side
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
   * Makes an owned run longer, at its end.
   *
   * @return the longer run; or {@link Run#NONE} if the next slabs are not free, or not there
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
   * Makes an owned run free, on the thread itself. The caller has zeroed it.
   *
   * @param served what to add to the count of arenas
   * @throws IllegalStateException if any of it is not owned; then nothing changes
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
    long bits = Run.bits(run);
    if (!Run.isWithin(run, count) || (taken & ~returned.getOpaque() & bits) != bits) {
      throw notOwned(run);
    }
    taken &= ~bits;
  }

  /**
   * Makes an owned run returned: for virtual threads that were carried elsewhere meanwhile. The
   * caller has zeroed it.
   *
   * @throws IllegalStateException if any of it is not owned; then nothing changes
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

  private IllegalStateException notOwned(int run) {
    return new IllegalStateException(
        "Slabs are released once, by the arena that acquired them: released="
            + Run.toString(run)
            + ", slabs="
            + count
            + ", owned="
            + Long.toBinaryString(taken & ~returned.get()));
  }

  /** Makes what was returned free; on the thread itself, or once it has ended. */
  private void collect() {
    if (returned.getOpaque() != 0) {
      taken &= ~returned.getAndSet(0);
    }
  }

  /** Where a run starts. */
  @ForceInline
  long address(int run) {
    return base + (long) Run.first(run) * slabByteSize;
  }

  /**
   * Frees the native memory if no slab is owned, as segments may outlive their arena. For slabs
   * that nobody can come back to; should a finalizer do so all the same, none of them is free.
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

  /** How many slabs are owned by arenas. */
  int owned() {
    return Long.bitCount(taken & ~returned.get());
  }

  /** Native memory behind these slabs (in bytes). */
  long byteSize() {
    return byteSize(slabByteSize, count);
  }

  /** Checks what the class comment promises, on the thread itself or after its end. */
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
}
