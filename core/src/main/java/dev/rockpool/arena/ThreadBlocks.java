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
 * Other threads only read counts, which may be behind, until the thread has ended.
 */
final class ThreadBlocks {
  final long threadId;

  private final PoolMemory memory;

  /** Null once the blocks were freed: the cache of a pool may still refer to this object. */
  private @Nullable Thread thread;

  /** The block that the next arena takes; 0 if there is none, then it takes one of {@code more}. */
  private long first;

  /** Other blocks; the last one kept is the first one taken. */
  private final long[] more;

  private int moreCount;

  /** Arenas that were closed here after they had used a block. */
  long arenasClosed;

  ThreadBlocks(Thread thread, PoolMemory memory) {
    this.memory = memory;
    this.thread = thread;
    threadId = thread.threadId();
    more = new long[memory.blocksPerThread - 1];
  }

  /** Returns a block that is the caller's from now on; 0 if there is none. */
  @ForceInline
  long take() {
    long block = first;
    if (block == 0) {
      return takeMore();
    }
    first = 0;
    return block;
  }

  private long takeMore() {
    int last = moreCount - 1;
    if (last < 0) {
      return 0;
    }
    long block = more[last];
    moreCount = last;
    return block;
  }

  /** Keeps a zeroed block, which is no longer the caller's; frees it if there are enough. */
  @ForceInline
  void keepOrFree(long block) {
    if (first == 0) {
      first = block;
    } else {
      keepMoreOrFree(block);
    }
  }

  private void keepMoreOrFree(long block) {
    int next = moreCount;
    if (next == more.length) {
      memory.free(block);
      return;
    }
    more[next] = block;
    moreCount = next + 1;
  }

  /** Whether the thread has ended. If so, all its writes are visible to the caller. */
  boolean isOfEndedThread() {
    Thread owner = thread;
    return owner == null || !owner.isAlive();
  }

  /** Frees all kept blocks. No arena may be opened or closed on the thread any more. */
  void freeAll() {
    thread = null;
    for (long block = take(); block != 0; block = take()) {
      memory.free(block);
    }
  }

  /** Returns the number of kept blocks. */
  int count() {
    return (first == 0 ? 0 : 1) + moreCount;
  }

  /** Checks that all kept memory is zero; call while no thread is at work. */
  void checkInvariants(int blockByteSize) {
    if (first != 0) {
      NativeMemory.checkZero(first, blockByteSize, "first block");
    }
    for (int i = 0; i < moreCount; i++) {
      NativeMemory.checkZero(more[i], blockByteSize, "block");
    }
  }
}
