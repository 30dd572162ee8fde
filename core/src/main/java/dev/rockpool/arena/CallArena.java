package dev.rockpool.arena;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The arena of one native call. Only the linker makes, uses and closes it. So the arena takes all
 * its memory at once, and is never closed twice or by another thread.
 *
 * <p>Segments have the scope of {@code regular}. So after an upcall has returned, a segment that
 * the upcall's target kept can't be accessed, although its memory lives on.
 *
 * <p>Simpler than {@link PooledArena}, because all of this code is compiled into each native call,
 * next to the arenas of the program.
 */
final class CallArena implements Arena {
  private final Arena regular;

  /** Owner of the slabs in use; null if a larger slab is in use. */
  private @Nullable ThreadSlabs home;

  /** Run in {@code home}; or, without a home, the slot of the larger slab as a run of one. */
  private int slab = Run.NONE;

  /** Start of the slab, aligned to a cache line. */
  private long address;

  private int used;
  private int limit;

  @ForceInline
  CallArena() {
    regular = Arena.ofConfined();
  }

  /**
   * Takes the slab. Nothing may wait between finding the slabs and taking them, see {@link
   * Carrier}.
   *
   * @return whether a slab was free
   */
  @ForceInline
  boolean acquire(SlabTable table, int byteSize) {
    Thread current = Thread.currentThread();
    int count = (byteSize + table.slabByteSize() - 1) / table.slabByteSize();
    if (count > table.longestRun()) {
      return acquireLarger(table.larger(), current);
    }
    ThreadSlabs slabs = table.slabsOf(current);
    if (slabs == null) {
      return false;
    }
    int run = count <= 1 ? slabs.acquireOne() : slabs.acquire(count);
    if (run == Run.NONE) {
      return false;
    }
    home = slabs;
    slab = run;
    use(slabs.address(run), Run.count(run) * table.slabByteSize());
    return true;
  }

  private boolean acquireLarger(SharedSlabs pool, Thread current) {
    int slot = pool.acquire(current.threadId());
    if (slot == SharedSlabs.NONE) {
      return false;
    }
    slab = Run.of(slot, 1);
    use(pool.address(slot), pool.slabByteSize());
    return true;
  }

  @ForceInline
  private void use(long address, int byteSize) {
    this.address = address;
    limit = byteSize;
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
      return regular.allocate(byteSize, byteAlignment); // more than the linker had announced
    }
    MemorySegment segment = NativeMemory.segment(address + offset, byteSize, regular);
    used = (int) (offset + byteSize);
    return segment;
  }

  @Override
  @ForceInline
  public MemorySegment.Scope scope() {
    return regular.scope();
  }

  /**
   * Closes {@code regular}, then zeroes the used bytes, and releases the slab. If the callee keeps
   * {@code regular} alive, closing fails, and segments may be in use; so the slab is not released.
   */
  @Override
  @ForceInline
  public void close() {
    regular.close();
    ThreadSlabs slabs = home;
    if (slabs == null) {
      giveBackLarger();
      return;
    }
    NativeMemory.zero(address, used);
    if (isAt(slabs)) {
      slabs.release(slab, 0);
    } else {
      slabs.releaseFromElsewhere(slab);
    }
  }

  private void giveBackLarger() {
    SharedSlabs pool = CallArenas.TABLE.larger();
    NativeMemory.zero(address, used);
    pool.release(Run.first(slab), 0);
  }

  /** As in {@link PooledArena}: a virtual thread may have changed its carrier during the call. */
  @ForceInline
  private static boolean isAt(ThreadSlabs slabs) {
    long current = Thread.currentThread().threadId();
    return current == slabs.threadId || isCarriedBy(slabs);
  }

  @ForceInline
  private static boolean isCarriedBy(ThreadSlabs slabs) {
    return Thread.currentThread().isVirtual() && Carrier.currentId() == slabs.threadId;
  }
}
