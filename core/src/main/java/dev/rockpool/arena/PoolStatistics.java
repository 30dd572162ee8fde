package dev.rockpool.arena;

/**
 * A snapshot of a pool's counts and memory, made by {@link ArenaPool#statistics()}.
 *
 * <p>Only a pool whose {@code state} is {@code ON} counts, because other pools' arenas are the
 * JDK's own, or checked. Under the agent, a struct that a native call passes or returns by value
 * counts as an arena.
 *
 * @param state whether the pool serves arenas, and if not, why
 * @param arenasClosed arenas that were closed after they had used a block; not those that never
 *     allocated, or asked only for more than a block has
 * @param blocksAllocated blocks that were allocated, because none was kept for an arena; each costs
 *     as much as an arena of the JDK. Many beside few closed arenas: raise {@code
 *     rockpool.blocks.per.thread}, unless threads wait inside their arenas
 * @param allocationsByJdk allocations that were left to the JDK: the block had no room for them,
 *     there was no block, or the JDK refused them. Many: raise {@code rockpool.block.size}
 * @param bytesKept native memory in blocks that no arena uses (in bytes)
 * @param threads number of live platform threads that have kept blocks; virtual threads use the
 *     blocks of their carriers, or shared ones
 * @param overruns if arenas are checked, number of segments beside which native code wrote, found
 *     when their arena was closed; for all pools of this JVM
 * @param lateWrites if arenas are checked, number of segments to which native code wrote after
 *     their arena was closed, as found so far; for all pools of this JVM
 */
public record PoolStatistics(
    State state,
    long arenasClosed,
    long blocksAllocated,
    long allocationsByJdk,
    long bytesKept,
    int threads,
    long overruns,
    long lateWrites) {

  /** Whether a pool serves arenas, and if not, why. */
  public enum State {
    /** The pool serves arenas. */
    ON,

    /** The block size or the number of blocks for each thread was set to 0. */
    OFF,

    /** Native access is denied to Rockpool. */
    DENIED,

    /**
     * In this JVM the JDK's own arenas are faster, as it has no optimizing compiler; or promise an
     * alignment that blocks lack, as each allocation starts on a page; or are the only ones, as the
     * JVM has 32-bit addresses, or no linker.
     */
    UNSUITED,

    /**
     * Arenas are checked, regardless of the pool's sizes (system property {@code rockpool.check}).
     * Each allocation is a malloc of its own, with guard bytes around the segment.
     */
    CHECKED
  }
}
