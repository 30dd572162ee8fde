package dev.rockpool.arena;

import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.SizeSetting;
import java.lang.foreign.Arena;

/**
 * A pool of native memory for confined arenas: a few slabs for each platform thread that uses it,
 * and some that all threads share. Memory is zeroed before it is handed out.
 *
 * <p>Most programs want {@link Arenas#ofConfined()}, which is {@code ArenaPool.shared().take()}. A
 * pool of one's own is for other sizes than those of the shared one:
 *
 * {@snippet :
 * static final ArenaPool POOL = ArenaPool.builder().slabByteSize(4096).slabsPerThread(2).build();
 *
 * try (Arena arena = POOL.take()) {
 *   MemorySegment row = arena.allocate(3000);
 * }
 * }
 *
 * <p>Safe for use by any thread. Keep a pool in a static final field: then its sizes are constants
 * in compiled code. The native memory of a thread is allocated at its first allocation from the
 * pool; within a second or two after the thread has ended it is passed on to another thread or
 * freed, as is the memory of shared slabs that nobody used for that long, and all memory of a pool
 * that has become unreachable. Slabs of arenas that were never closed stay, as their segments may
 * be alive.
 */
public final class ArenaPool {
  private static final ArenaPool SHARED = ofShared();

  final SlabTable table;

  /** Off, for a property of the program's own that asks while the shared table reads it. */
  private static ArenaPool ofShared() {
    SlabTable table = SlabTable.SHARED;
    return new ArenaPool(table == null ? SlabTable.off() : table);
  }

  private ArenaPool(SlabTable table) {
    this.table = table;
  }

  /**
   * The pool behind {@link Arenas#ofConfined()}. Its sizes come from the system properties {@code
   * rockpool.slab.size}, {@code rockpool.slabs.per.thread} and {@code rockpool.shared.slots}.
   *
   * @return the one shared pool
   */
  public static ArenaPool shared() {
    return SHARED;
  }

  /**
   * A builder for a pool with sizes of its own; the system properties do not touch it.
   *
   * @return a new builder, set to the default sizes
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Opens a confined arena on this pool, owned by the current thread; see {@link
   * Arenas#ofConfined()} for what it promises. A thread may have any number of them open, and close
   * them in any order; the first few that allocate are served from its slabs.
   *
   * @return a new confined arena, owned by the current thread, to be closed by it
   */
  public Arena take() {
    return table.open();
  }

  /**
   * The size of a slab (in bytes): an arena whose allocations, each rounded up to 16 bytes, add up
   * to no more is served from one. One that needs more takes those behind it, up to half of those
   * of its thread, and then one of 8 KiB that all threads share.
   *
   * @return a power of two, or 0 if this pool is off and its arenas are the JDK's own, or checked
   */
  public long slabByteSize() {
    return table.slabByteSize();
  }

  /**
   * How many slabs each platform thread has: as many of its arenas can be served at once, unless
   * some of them grow over several.
   *
   * @return a number from 1 to 64, or 0 if this pool is off and its arenas are the JDK's own, or
   *     checked
   */
  public int slabsPerThread() {
    return table.slabByteSize() == 0 ? 0 : table.registry().slabsPerThread();
  }

  /**
   * How many slabs all threads share, of each of two sizes: that of a slab, for virtual threads,
   * and 8 KiB, for arenas that outgrow the slabs of their thread. The latter there are only in
   * pools whose slabs are smaller.
   *
   * @return a power of two from 1 to 1024, or 0 if there are none
   */
  public int sharedSlots() {
    return table.shared().slots();
  }

  /**
   * What this pool did so far, and what it holds. Counting is part of closing an arena and takes no
   * lock, so threads that are at work may be a few arenas ahead of what is reported. Before it is
   * reported, memory of threads that have ended is freed.
   *
   * @return a snapshot
   */
  public PoolStatistics statistics() {
    table.registry().sweep();
    PoolCounts counts = table.counts();
    boolean isChecked = table.state() == PoolStatistics.State.CHECKED;
    return new PoolStatistics(
        table.state(),
        counts.served,
        counts.tooLarge,
        counts.noneLeft,
        table.byteSize(),
        table.registry().threads(),
        isChecked ? Quarantine.SHARED.overruns() : 0,
        isChecked ? Quarantine.SHARED.lateWrites() : 0);
  }

  @Override
  public String toString() {
    return "ArenaPool[slabByteSize="
        + slabByteSize()
        + ", slabsPerThread="
        + slabsPerThread()
        + "]";
  }

  /** Sets the sizes of a new pool. Not for use by several threads at once. */
  public static final class Builder {
    private int slabByteSize = SizeSetting.SLAB_SIZE.defaultValue();
    private int slabsPerThread = SizeSetting.SLABS_PER_THREAD.defaultValue();
    private int sharedSlots = SizeSetting.SHARED_SLOTS.defaultValue();

    private Builder() {}

    /**
     * Sets the size of a slab.
     *
     * @param byteSize a power of two from 64 to 1048576 (in bytes), or 0 for a pool that is off
     * @return this builder
     * @throws IllegalArgumentException if {@code byteSize} is anything else
     */
    public Builder slabByteSize(long byteSize) {
      slabByteSize = checked(SizeSetting.SLAB_SIZE, "slabByteSize", byteSize);
      return this;
    }

    /**
     * Sets how many slabs each thread has.
     *
     * @param slabs a number from 1 to 64, or 0 for a pool that is off
     * @return this builder
     * @throws IllegalArgumentException if {@code slabs} is anything else
     */
    public Builder slabsPerThread(int slabs) {
      slabsPerThread = checked(SizeSetting.SLABS_PER_THREAD, "slabsPerThread", slabs);
      return this;
    }

    /**
     * Sets how many slabs all threads share: that many for virtual threads, of the size of a slab,
     * and that many of 8 KiB for arenas that outgrow the slabs of their thread.
     *
     * @param slots a power of two from 1 to 1024, or 0 for none
     * @return this builder
     * @throws IllegalArgumentException if {@code slots} is anything else
     */
    public Builder sharedSlots(int slots) {
      sharedSlots = checked(SizeSetting.SHARED_SLOTS, "sharedSlots", slots);
      return this;
    }

    /**
     * Makes the pool; native memory is allocated when a thread first uses it.
     *
     * @return a new pool
     */
    public ArenaPool build() {
      SlabTable table = SlabTable.of(slabByteSize, slabsPerThread, sharedSlots);
      if (table.slabByteSize() != 0) {
        Housekeeper.add(new PoolUpkeep(table));
      }
      return new ArenaPool(table);
    }

    private static int checked(SizeSetting setting, String name, long value) {
      if (!setting.accepts(value)) {
        throw new IllegalArgumentException(
            name + " must be " + setting.accepted() + ": " + name + "=" + value);
      }
      return (int) value;
    }
  }
}
