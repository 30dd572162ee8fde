package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.SizeSetting;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Where the JDK's linker gets its buffers from, under the agent: for a native call that passes or
 * returns a struct by value, and for an upcall that gets one.
 *
 * <p>They have a pool of their own, because they nest: a downcall whose callee calls back holds its
 * buffer while the upcall, and each call made in it, takes another. So its slabs are small and
 * many. One holds what nearly every call needs; more in a row, or a larger slab that all threads
 * share, hold larger structs. The memory of a thread stays within 4 KiB.
 *
 * <p>Not for programs, and public only where the agent defines it, so that the linker can call it.
 */
final class CallArenas {
  private static final int SLAB_BYTE_SIZE = 64;

  /** With the alignment of the first, all but one of those that fit a page. */
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
   * @param byteSize all that will be allocated from it, gaps for alignment included
   * @return null if no pooled memory is left or usable; then the JDK has its own way
   */
  @ForceInline
  public static @Nullable Arena open(long byteSize) {
    if (TABLE.slabByteSize() == 0 || byteSize > SlabTable.LARGER_BYTE_SIZE) {
      return null;
    }
    // Before a slab is taken, so that a failure in here does not lose one.
    CallArena arena = new CallArena();
    return arena.acquire(TABLE, (int) byteSize) ? arena : null;
  }
}
