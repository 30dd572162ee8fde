package dev.rockpool.arena;

import dev.rockpool.arena.ThreadSlabs.Run;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens arenas for the buffers of the JDK's linker, under the agent. A downcall that passes or
 * returns a struct by value needs a buffer, and so does an upcall that gets a struct.
 *
 * <p>These arenas have a pool of their own, because calls nest: a downcall holds its buffer while
 * an upcall, and each call made in the upcall, takes another. So the slabs are small and many. One
 * slab is enough for nearly every call. A run of slabs, or a larger shared slab, holds larger
 * structs. The memory of a thread stays within 4 KiB.
 *
 * <p>Not for programs. The linker comes here by the agent's {@code RockpoolStart.open}.
 */
final class CallArenas {
  static final int SLAB_BYTE_SIZE = 64;

  /** As many as fit 4 KiB after the first slab's alignment. */
  static final int SLABS_PER_THREAD = 63;

  static final Pool POOL = Pool.Made.ofCalls();

  private CallArenas() {}

  /**
   * Opens an arena for one native call, owned by the current thread; returns null if no pooled
   * memory is left or usable, and the JDK's own buffer is the fallback.
   *
   * @param byteSize sum of all future allocations, including gaps for alignment
   */
  @ForceInline
  public static @Nullable Arena open(long byteSize) {
    if (POOL.slabByteSize() == 0) {
      return null;
    }
    if (byteSize > Pool.LARGER_BYTE_SIZE) {
      return refuse(PooledArena.TOO_LARGE);
    }
    // Before taking a slab, because a failure in here would lose the slab.
    CallArena arena = new CallArena();
    return arena.acquire(POOL, (int) byteSize) ? arena : refuse(PooledArena.NONE_LEFT);
  }

  private static @Nullable Arena refuse(byte reason) {
    POOL.others().addFallback(reason);
    return null;
  }

  /**
   * The arena of one native call. Only the linker makes, uses and closes it. So the arena takes all
   * its memory at once, and is never closed twice or by another thread.
   *
   * <p>Segments have the scope of {@code regular}. So after an upcall has returned, a segment that
   * the upcall's target kept can't be accessed, although its memory lives on.
   *
   * <p>Simpler than {@link PooledArena}, because all of this code is compiled into each native
   * call, next to the arenas of the program.
   */
  static final class CallArena implements Arena {
    private final Arena regular;

    /** Owner of the slabs in use; null if a larger slab is in use. */
    private @Nullable ThreadSlabs home;

    /** Run in {@code home}; or, without a home, the slot of the larger slab plus one. */
    private int run = Run.NONE;

    /** Start of the slab, aligned to a cache line. */
    private long address;

    private int used;
    private int limit;

    @ForceInline
    CallArena() {
      regular = NativeMemory.confinedArena();
    }

    /** As {@link PooledArena#linkAll}. */
    static void linkAll() {
      Objects.requireNonNull(IllegalStateException.class);
    }

    /**
     * Takes the slab, if one is free. Nothing may wait between finding the slabs and taking them,
     * see {@link ThreadSlabs#areAt}. Nothing is called after that, because a call may overflow.
     */
    @ForceInline
    boolean acquire(Pool pool, int byteSize) {
      Thread current = Thread.currentThread();
      int slabByteSize = pool.slabByteSize();
      int count = (byteSize + slabByteSize - 1) / slabByteSize;
      if (count > pool.longestRun()) {
        return acquireLarger(pool.larger(), current);
      }
      ThreadSlabs cached = pool.cachedSlabsOf(current);
      ThreadSlabs slabs = cached != null ? cached : pool.slabsOf(current);
      if (slabs == null) {
        return false;
      }
      int run = count <= 1 ? slabs.acquireOne() : slabs.acquire(count);
      if (run == Run.NONE) {
        return false;
      }
      home = slabs;
      this.run = run;
      address = slabs.base + (long) (run >> Run.FIRST_SHIFT) * slabByteSize;
      limit = (run & Run.COUNT_MASK) * slabByteSize;
      return true;
    }

    /** Calls nothing once a slot is owned, either. */
    private boolean acquireLarger(SharedSlabs slots, Thread current) {
      int byteSize = slots.slabByteSize();
      long[] lines = slots.lines();
      int slot = slots.acquire(current.threadId());
      if (slot == SharedSlabs.NONE) {
        return false;
      }
      run = slot + 1;
      address = lines[slot * SharedSlabs.LINE + SharedSlabs.ADDRESS];
      limit = byteSize;
      return true;
    }

    @Override
    @ForceInline
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      long offset = (used + byteAlignment - 1) & -byteAlignment;
      if (byteSize < 0
          || byteSize > limit - offset
          || byteAlignment <= 0
          || byteAlignment > NativeMemory.CACHE_LINE
          || (byteAlignment & (byteAlignment - 1)) != 0) {
        // more than the linker had announced
        return NativeMemory.allocating(regular).allocate(byteSize, byteAlignment);
      }
      MemorySegment segment = NativeMemory.confinedSegment(address + offset, byteSize, regular);
      used = (int) (offset + byteSize);
      return segment;
    }

    @Override
    @ForceInline
    public MemorySegment.Scope scope() {
      return regular.scope();
    }

    /**
     * Closes {@code regular}, then zeroes the used bytes, and releases the slab. If the callee
     * keeps {@code regular} alive, closing fails, and segments may be in use. Then, or if the stack
     * ends in here, slabs are abandoned. If the stack ends before the linker's call gets here, the
     * slabs stay owned.
     */
    @Override
    @ForceInline
    public void close() {
      ThreadSlabs slabs = home;
      if (slabs == null) {
        closeOnLarger();
        return;
      }
      @Nullable Object[] abandonedBy = slabs.abandonedBy;
      boolean isClosed = false;
      try {
        NativeMemory.close(regular);
        isClosed = true;
        NativeMemory.zero(address, used);
        if (slabs.areAt(Thread.currentThread())) {
          slabs.release(run, served());
        } else {
          slabs.releaseFromElsewhere(run);
        }
      } catch (Throwable failure) {
        if (isClosed && failure instanceof IllegalStateException) {
          throw failure; // slabs that are not owned are another's by now, or broken
        }
        int end = (run >> Run.FIRST_SHIFT) + (run & Run.COUNT_MASK);
        for (int slab = run >> Run.FIRST_SHIFT; slab < end; slab++) {
          abandonedBy[slab] = this;
        }
        throw failure;
      }
    }

    /** Returns what to add to the count of arenas; one that allocated nothing does not count. */
    @ForceInline
    private int served() {
      return used == 0 ? 0 : 1;
    }

    private void closeOnLarger() {
      SharedSlabs slots = POOL.larger();
      long[] lines = slots.lines();
      @Nullable Object[] abandonedBy = slots.abandonedBy();
      int slot = run - 1;
      boolean isClosed = false;
      try {
        NativeMemory.close(regular);
        isClosed = true;
        NativeMemory.zero(address, used);
        slots.release(slot, served());
      } catch (Throwable failure) {
        if (isClosed && failure instanceof IllegalStateException) {
          throw failure;
        }
        abandonedBy[slot] = this;
        lines[slot * SharedSlabs.LINE + SharedSlabs.CLAIM] = SharedSlabs.ABANDONED;
        throw failure;
      }
    }
  }
}
