package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.SizeSetting;
import java.lang.foreign.Arena;
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
 * <p>Not for programs; public only where the agent defines it, so that the linker can call it.
 */
final class CallArenas {
  private static final int SLAB_BYTE_SIZE = 64;

  /** As many as fit 4 KiB after the first slab's alignment. */
  private static final int SLABS_PER_THREAD = 63;

  static final SlabTable TABLE =
      SlabTable.of(SLAB_BYTE_SIZE, SLABS_PER_THREAD, SizeSetting.SHARED_SLOTS.defaultValue());

  static {
    if (TABLE.slabByteSize() != 0) {
      Housekeeper.add(new PoolUpkeep(TABLE));
    }
  }

  private CallArenas() {}

  /**
   * Opens an arena for one native call, owned by the current thread.
   *
   * @param byteSize sum of all future allocations, including gaps for alignment
   * @return null if no pooled memory is left or usable; then the JDK's own buffer is the fallback
   */
  @ForceInline
  public static @Nullable Arena open(long byteSize) {
    if (TABLE.slabByteSize() == 0 || byteSize > SlabTable.LARGER_BYTE_SIZE) {
      return null;
    }
    // Before taking a slab, because a failure in here would lose the slab.
    CallArena arena = new CallArena();
    return arena.acquire(TABLE, (int) byteSize) ? arena : null;
  }
}
