package dev.rockpool.arena;

import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.SizeSetting;
import java.lang.foreign.Arena;
import java.util.Objects;

/**
 * A pool of native memory for confined arenas: a few slabs for each platform thread that uses the
 * pool, and some slabs that all threads share. Memory is zeroed before it is handed out.
 *
 * <p>Most programs use {@link Arenas#ofConfined()}, which is {@code ArenaPool.shared().take()}.
 * Build a pool for other sizes than those of the shared pool:
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
 * in compiled code.
 *
 * <p>A thread's native memory is allocated at the thread's first allocation from the pool. Within a
 * second or two, unused memory is passed on or freed:
 *
 * <ul>
 *   <li>memory of an ended thread is freed, or passed on to another thread,
 *   <li>shared slabs that nobody used for that long are freed,
 *   <li>all memory of a pool that has become unreachable is freed.
 * </ul>
 *
 * <p>Slabs of arenas that were never closed are never freed, as their segments may be alive.
 */
public final class ArenaPool {
  /** Whether all classes behind this one are initialized, see {@link Foundations}. */
  private static volatile boolean ready;

  final Pool pool;

  /** A class of its own, so that the pool is a constant in compiled code. */
  private static final class Shared {
    static final ArenaPool POOL = new ArenaPool(find());

    /** Returns a pool that is off, if the shared one is still being made, or could not be made. */
    private static Pool find() {
      try {
        Pool pool = Pool.Shared.POOL;
        return pool == null ? Pool.off() : pool;
      } catch (LinkageError | VirtualMachineError broken) { // by an arena opened without room
        return Pool.off();
      }
    }
  }

  private static void prepare() {
    if (!ready) {
      Foundations.requireMoreRoom();
      Objects.requireNonNull(Shared.POOL);
      ready = true;
    }
  }

  private ArenaPool(Pool pool) {
    this.pool = pool;
  }

  /**
   * Returns the pool behind {@link Arenas#ofConfined()}. Its sizes come from the system properties
   * {@code rockpool.slab.size}, {@code rockpool.slabs.per.thread} and {@code
   * rockpool.shared.slots}.
   *
   * @return the one shared pool
   * @throws OutOfMemoryError if the heap has too little room for a first use; a later call tries
   *     again
   * @throws StackOverflowError if the stack has too little room for a first use
   */
  public static ArenaPool shared() {
    prepare();
    return Shared.POOL;
  }

  /**
   * Returns a builder for a pool with sizes of its own. The system properties have no effect on
   * these sizes.
   *
   * @return a new builder, set to the default sizes
   * @throws OutOfMemoryError if the heap has too little room for a first use; a later call tries
   *     again
   * @throws StackOverflowError if the stack has too little room for a first use
   */
  public static Builder builder() {
    prepare();
    return new Builder();
  }

  /**
   * Opens a confined arena on this pool, owned by the current thread. {@link Arenas#ofConfined()}
   * states the guarantees. A thread may have any number of arenas open, and close them in any
   * order; the first few open ones are served from the thread's slabs.
   *
   * @return a new confined arena; the current thread owns the arena and must close it
   */
  public Arena take() {
    return pool.open(NativeMemory.confinedArena());
  }

  /**
   * Returns the size of a slab, in bytes. An arena is served from one slab if its allocations, each
   * rounded up to 16 bytes, add up to no more than this size. An arena that needs more takes the
   * next slabs, up to half of the thread's slabs, and then one shared slab of 8 KiB.
   *
   * @return a power of two in bytes, or 0 if this pool is off and its arenas are the JDK's own, or
   *     checked
   */
  public long slabByteSize() {
    return pool.slabByteSize();
  }

  /**
   * Returns the number of slabs that each platform thread has. As many of the thread's arenas can
   * be served at once, unless some of them grow over several slabs.
   *
   * @return a number from 1 to 64, or 0 if this pool is off and its arenas are the JDK's own, or
   *     checked
   */
  public int slabsPerThread() {
    return pool.slabsPerThread();
  }

  /**
   * Returns the number of slabs that all threads share, for each set. Slabs of size {@link
   * #slabByteSize} are for virtual threads; under the agent, another set is for young platform
   * threads. Slabs of 8 KiB are for arenas that outgrow the slabs of their thread, and exist only
   * in pools whose slabs are smaller.
   *
   * @return a power of two from 1 to 1024, or 0 if there are none
   */
  public int sharedSlots() {
    return pool.shared().slots();
  }

  /**
   * Returns the counts and the memory of this pool. Arenas are counted when they are closed,
   * without a lock, so the counts may be a few arenas behind threads at work. This method first
   * frees memory of ended threads.
   *
   * @return a snapshot
   */
  public PoolStatistics statistics() {
    return pool.statistics();
  }

  @Override
  public String toString() {
    return "ArenaPool[slabByteSize="
        + slabByteSize()
        + ", slabsPerThread="
        + slabsPerThread()
        + "]";
  }

  /** Sets the sizes of a new pool. Not safe for use by several threads at once. */
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
     * Sets the number of slabs that each platform thread has.
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
     * Sets the number of slabs that all threads share, for each of two sizes: the slab size, for
     * virtual threads, and 8 KiB, for arenas that outgrow the slabs of their thread.
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
     * Makes the pool. A thread's native memory is allocated when the thread first uses the pool.
     *
     * @return a new pool
     */
    public ArenaPool build() {
      Pool pool = Pool.of(slabByteSize, slabsPerThread, sharedSlots);
      if (pool.slabByteSize() != 0) {
        Housekeeper.add(new Pool.Upkeep(pool));
      }
      return new ArenaPool(pool);
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
