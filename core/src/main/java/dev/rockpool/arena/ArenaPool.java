package dev.rockpool.arena;

import com.google.errorprone.annotations.MustBeClosed;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Setting;
import java.lang.foreign.Arena;

/**
 * A pool of native memory for confined arenas: a few blocks for each platform thread that uses the
 * pool. Memory is zeroed before it is handed out.
 *
 * <p>Most programs use {@link Arenas#ofConfined()}, which is {@code ArenaPool.shared().take()}.
 * Build a pool of your own if you need other sizes than those of the shared pool:
 *
 * {@snippet :
 * static final ArenaPool POOL = ArenaPool.builder().blockByteSize(4096).blocksPerThread(2).build();
 *
 * try (Arena arena = POOL.take()) {
 *   MemorySegment row = arena.allocate(3000);
 * }
 * }
 *
 * <p>Safe for use by any thread. Keep a pool in a static final field: then its sizes are constants
 * in compiled code.
 *
 * <p>A thread keeps the blocks of the arenas that it closes, up to {@link #blocksPerThread()}. They
 * are freed within a second or two after the thread has ended, or after the pool has become
 * unreachable, for finalizers too. Blocks of arenas that were never closed are never freed, because
 * their segments may be alive. Nor are those that live threads keep when a server undeploys an
 * application with its own copy of this library.
 *
 * @since 0.1.0
 */
public final class ArenaPool {
  final BlockPool pool;

  /** A class of its own, so that the pool is a constant in compiled code. */
  private static final class Shared {
    static final ArenaPool POOL = new ArenaPool(find());

    /** Returns a pool that is off, if the shared one is still being made, or could not be made. */
    private static BlockPool find() {
      try {
        BlockPool pool = BlockPool.Shared.POOL;
        return pool == null ? BlockPool.off() : pool;
      } catch (LinkageError broken) {
        return BlockPool.off();
      }
    }
  }

  private ArenaPool(BlockPool pool) {
    this.pool = pool;
  }

  /**
   * Returns the pool behind {@link Arenas#ofConfined()}. Its sizes come from the system properties
   * {@code rockpool.block.size} and {@code rockpool.blocks.per.thread}.
   *
   * @return the one shared pool
   */
  public static ArenaPool shared() {
    return Shared.POOL;
  }

  /**
   * Returns a builder for a pool with its own sizes. The system properties have no effect on these
   * sizes.
   *
   * @return a new builder, set to the default sizes
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Opens a confined arena on this pool, owned by the current thread. {@link Arenas#ofConfined()}
   * states the guarantees. A thread may have any number of arenas open, and close them in any
   * order.
   *
   * @return a new confined arena; the current thread owns the arena and must close it
   */
  @MustBeClosed
  @SuppressWarnings("exports") // users compile without the annotation
  public Arena take() {
    return pool.open(Lifetime.open());
  }

  /**
   * Returns the size of a block, in bytes. An arena is served from one block if its allocations,
   * each rounded up to 16 bytes, add up to no more than this size. The JDK serves the rest.
   *
   * @return a power of two in bytes, or 0 if this pool is off and its arenas are the JDK's own, or
   *     checked
   */
  public long blockByteSize() {
    return pool.blockByteSize();
  }

  /**
   * Returns how many blocks each platform thread may keep. So many arenas can be open on a thread
   * at once without an allocation; each further one allocates a block, which takes as long as an
   * arena of the JDK. A thread starts with no blocks, and keeps those of the arenas that it closes.
   *
   * @return a number from 1 to 64, or 0 if this pool is off and its arenas are the JDK's own, or
   *     checked
   */
  public int blocksPerThread() {
    return pool.memory().blocksPerThread;
  }

  /**
   * Returns the counts and the memory of this pool. Arenas are counted when they are closed,
   * without a lock, so the counts may lag behind running threads by a few arenas. This method first
   * frees memory of ended threads.
   *
   * @return a snapshot
   */
  public PoolStatistics statistics() {
    return pool.memory().statistics(pool.state());
  }

  @Override
  public String toString() {
    return "ArenaPool[blockByteSize=%s, blocksPerThread=%s]"
        .formatted(blockByteSize(), blocksPerThread());
  }

  /**
   * Sets the sizes of a new pool. Not safe for use by several threads at once.
   *
   * @since 0.1.0
   */
  public static final class Builder {
    private int blockByteSize = Setting.BLOCK_SIZE.defaultValue();
    private int blocksPerThread = Setting.BLOCKS_PER_THREAD.defaultValue();

    private Builder() {}

    /**
     * Sets the size of a block.
     *
     * @param byteSize a power of two from 64 to 1048576 (in bytes), or 0 for a pool that is off
     * @return this builder
     * @throws IllegalArgumentException if {@code byteSize} is anything else
     */
    public Builder blockByteSize(long byteSize) {
      blockByteSize = checked(Setting.BLOCK_SIZE, "blockByteSize", byteSize);
      return this;
    }

    /**
     * Sets the number of blocks that each platform thread keeps.
     *
     * @param blocks a number from 1 to 64, or 0 for a pool that is off
     * @return this builder
     * @throws IllegalArgumentException if {@code blocks} is anything else
     */
    public Builder blocksPerThread(int blocks) {
      blocksPerThread = checked(Setting.BLOCKS_PER_THREAD, "blocksPerThread", blocks);
      return this;
    }

    /**
     * Makes the pool. Blocks are allocated when an arena finds none kept.
     *
     * @return a new pool
     */
    public ArenaPool build() {
      return new ArenaPool(BlockPool.of(blockByteSize, blocksPerThread));
    }

    private static int checked(Setting setting, String name, long value) {
      if (!setting.accepts(value)) {
        throw new IllegalArgumentException(
            name + " must be " + setting.accepted() + ": " + name + "=" + value);
      }
      return (int) value;
    }
  }
}
