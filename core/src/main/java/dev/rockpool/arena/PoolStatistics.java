package dev.rockpool.arena;

/**
 * A snapshot of a pool's counts and memory, made by {@link ArenaPool#statistics()}.
 *
 * <p>Each arena that was closed after at least one allocation is counted once: {@code
 * servedFromSlab + tooLarge + noneLeft + firstOfThread == arenasClosed()}. Arenas that never
 * allocated are not counted, as they cost nothing. Arenas of a pool whose {@code state} is not
 * {@code ON} are not counted either: they are the JDK's own, or checked. Nor are arenas of virtual
 * threads from the time on when they are the JDK's, see {@link Arenas#ofConfined}.
 *
 * @param state whether the pool serves arenas, and if not, why
 * @param servedFromSlab number of arenas all of whose allocations came from the pool
 * @param tooLarge number of arenas whose first use of the fallback had this reason: they asked for
 *     more in all than the pool gives one arena, or for a byteAlignment of more than 64
 * @param noneLeft number of arenas whose first use of the fallback had this reason: no slab was
 *     free, or the system had no memory for a slab
 * @param firstOfThread number of arenas that the agent left to the JDK because they were among the
 *     first of their thread
 * @param bytesHeld native memory of the pool, whether in use or free (in bytes)
 * @param threads number of platform threads that have slabs; virtual threads use the slabs of their
 *     carriers, or shared slabs
 * @param overruns if arenas are checked, number of segments beside which native code wrote, found
 *     when their arena was closed; for all pools of this JVM
 * @param lateWrites if arenas are checked, number of segments to which native code wrote after
 *     their arena was closed, as found so far; for all pools of this JVM
 */
public record PoolStatistics(
    State state,
    long servedFromSlab,
    long tooLarge,
    long noneLeft,
    long firstOfThread,
    long bytesHeld,
    int threads,
    long overruns,
    long lateWrites) {

  /** Whether a pool serves arenas, and if not, why. */
  public enum State {
    /** The pool serves arenas. */
    ON,

    /** The slab size or the number of slabs for each thread was set to 0. */
    OFF,

    /** Native access is denied to Rockpool. */
    DENIED,

    /**
     * In this JVM the JDK's own arenas are faster, as it has no optimizing compiler; or promise an
     * alignment that slabs lack, as each allocation starts on a page; or are the only ones, as the
     * JVM has 32-bit addresses, or no linker.
     */
    UNSUITED,

    /**
     * Arenas are checked, regardless of the pool's sizes (system property {@code rockpool.check}).
     * Each allocation is a malloc of its own, with guard bytes around the segment.
     */
    CHECKED
  }

  /**
   * Returns the number of closed arenas that had allocated.
   *
   * @return the sum of arenas served from slabs and arenas that used the fallback at least once
   */
  public long arenasClosed() {
    return servedFromSlab + tooLarge + noneLeft + firstOfThread;
  }
}
