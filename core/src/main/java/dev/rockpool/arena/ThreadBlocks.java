package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that one platform thread keeps, for its own arenas and for those of the virtual
 * threads that it carries. All of them are zero.
 *
 * <p>Only code that runs on the thread moves blocks, and the JVM does not unmount a virtual thread
 * in the middle of that (see {@link dev.rockpool.internal.Carrier}). So nothing here is atomic.
 * Other threads only read counts and sizes, which may be behind, until the thread has ended.
 */
final class ThreadBlocks {
  /** Large blocks that a thread keeps: one for an arena, and one for an arena nested in it. */
  private static final int LARGE_BLOCKS = 2;

  final long threadId;

  private final PoolMemory memory;

  /** Null once the blocks were freed: the cache of a pool may still refer to this object. */
  private @Nullable Thread thread;

  /** The block that the next arena takes; 0 while it is taken. */
  private long first;

  private final Shelf more;
  private final Shelf large = new Shelf(LARGE_BLOCKS);

  /**
   * Large blocks that were made to be kept here, less those freed here. Blocks travel with virtual
   * threads, so this may be negative; but there are never more of them than two for each thread,
   * however many arenas wait.
   */
  private int largeMade;

  /** Numbers of arenas that were closed on this thread, by {@link BlockArena#KEPT} and others. */
  final long[] closed = new long[BlockArena.SERVED_BY];

  ThreadBlocks(Thread thread, PoolMemory memory) {
    this.memory = memory;
    this.thread = thread;
    threadId = thread.threadId();
    more = new Shelf(memory.blocksPerThread - 1);
  }

  /** Unused blocks of one size; the last one kept is the first one taken. */
  private static final class Shelf {
    private final long[] blocks;
    private int count;

    Shelf(int most) {
      blocks = new long[most];
    }

    long take() {
      int last = count - 1;
      if (last < 0) {
        return 0;
      }
      long block = blocks[last];
      count = last;
      return block;
    }

    boolean tryKeep(long block) {
      int next = count;
      if (next == blocks.length) {
        return false;
      }
      blocks[next] = block;
      count = next + 1;
      return true;
    }
  }

  /** Returns a block that is the caller's from now on; 0 if there is none. */
  @ForceInline
  long take() {
    long block = first;
    if (block == 0) {
      return more.take();
    }
    first = 0;
    return block;
  }

  long take(boolean isLarge) {
    return isLarge ? large.take() : take();
  }

  /** Keeps a zeroed block, which is no longer the caller's; frees it if there are enough. */
  @ForceInline
  void keep(long block) {
    if (first == 0) {
      first = block;
    } else if (!more.tryKeep(block)) {
      memory.free(block, memory.blockByteSize);
    }
  }

  void keep(long block, boolean isLarge) {
    if (!isLarge) {
      keep(block);
    } else if (!large.tryKeep(block)) {
      largeMade--;
      memory.free(block, BlockPool.LARGE_BYTE_SIZE);
    }
  }

  /** Keeps a block that was made for that. */
  void keepNew(long block, boolean isLarge) {
    largeMade += isLarge ? 1 : 0;
    keep(block, isLarge);
  }

  /** Notes that a large block was freed instead of kept, so that one may be made for it. */
  void forgetLarge() {
    largeMade = Math.max(0, largeMade - 1);
  }

  /** Whether to make one more block to be kept. */
  boolean lacks(boolean isLarge) {
    return isLarge ? largeMade < LARGE_BLOCKS : first == 0 || more.count < more.blocks.length;
  }

  /** Whether the thread has ended. If so, all its writes are visible to the caller. */
  boolean isOfEndedThread() {
    Thread owner = thread;
    return owner == null || !owner.isAlive();
  }

  /** Frees all kept blocks. No arena may be opened or closed on the thread meanwhile. */
  void freeAll() {
    thread = null;
    tryFreeKept();
  }

  /** Frees all kept blocks; returns false if there are none. Only for the thread, if it lives. */
  boolean tryFreeKept() {
    boolean any = false;
    for (long block = take(); block != 0; block = take()) {
      memory.free(block, memory.blockByteSize);
      any = true;
    }
    for (long block = large.take(); block != 0; block = large.take()) {
      largeMade--;
      memory.free(block, BlockPool.LARGE_BYTE_SIZE);
      any = true;
    }
    return any;
  }

  /** Returns the size of the kept memory, in bytes. */
  long byteSize(int blockByteSize) {
    int blocks = (first == 0 ? 0 : 1) + more.count;
    return (long) blocks * blockByteSize + (long) large.count * BlockPool.LARGE_BYTE_SIZE;
  }

  /** Checks that all kept memory is zero; call while no thread is at work. */
  void checkInvariants(int blockByteSize) {
    if (first != 0) {
      NativeMemory.checkZero(first, blockByteSize, "first block");
    }
    for (int i = 0; i < more.count; i++) {
      NativeMemory.checkZero(more.blocks[i], blockByteSize, "block");
    }
    for (int i = 0; i < large.count; i++) {
      NativeMemory.checkZero(large.blocks[i], BlockPool.LARGE_BYTE_SIZE, "large block");
    }
  }
}
