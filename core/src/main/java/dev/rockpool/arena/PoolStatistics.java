package dev.rockpool.arena;

/**
 * A snapshot of a pool's counts and memory, made by {@link ArenaPool#statistics()}.
 *
 * <p>Only a pool whose {@code state} is {@code ON} counts, because other pools' arenas are the
 * JDK's own, or checked. Under the agent, a struct that a native call passes or returns by value
 * counts as an arena.
 *
 * @param state whether the pool serves arenas, and if not, why
 * @param blockByteSize the size of a block (in bytes), or 0 if the pool is off
 * @param blocksPerThread how many blocks each platform thread may keep, or 0 if the pool is off
 * @param arenasClosed arenas that were closed after they had used a block; not those that never
 *     allocated, or asked only for more than a block has
 * @param blocksAllocated blocks that were allocated, because none was kept for an arena; each costs
 *     as much as an arena of the JDK. If this is a large share of the closed arenas, raise {@code
 *     rockpool.blocks.per.thread}, unless threads wait inside their arenas
 * @param allocationsByJdk allocations passed on to the JDK: they did not fit the block, there was
 *     no block, or the JDK refused them. If there are many, raise {@code rockpool.block.size}
 * @param bytesKept native memory in kept blocks (in bytes)
 * @param threads number of live platform threads that have kept blocks; virtual threads use the
 *     blocks of their carriers, or shared ones
 * @param overruns if arenas are checked, number of segments beside which native code wrote, found
 *     when their arena was closed; for all pools of this JVM
 * @param lateWrites if arenas are checked, number of segments to which native code wrote after
 *     their arena was closed, as found so far; for all pools of this JVM
 * @since 0.1.0
 */
public record PoolStatistics(
    State state,
    long blockByteSize,
    int blocksPerThread,
    long arenasClosed,
    long blocksAllocated,
    long allocationsByJdk,
    long bytesKept,
    int threads,
    long overruns,
    long lateWrites) {

  /**
   * Whether a pool serves arenas, and if not, why.
   *
   * @since 0.1.0
   */
  public enum State {
    /** The pool serves arenas. */
    ON,

    /** The block size or the number of blocks for each thread was set to 0. */
    OFF,

    /** Native access is denied to Rockpool. */
    DENIED,

    /**
     * This JVM gets the JDK's own arenas for one of these reasons: it has no optimizing compiler,
     * and they are faster; each allocation has to start on a page, which blocks can't do; it has
     * 32-bit addresses, or no linker.
     */
    UNSUITED,

    /**
     * Arenas are checked, regardless of the pool's sizes (system property {@code rockpool.check}).
     * Each allocation is a malloc of its own, with guard bytes around the segment.
     */
    CHECKED
  }
}
