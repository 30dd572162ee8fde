package dev.rockpool.arena;

/**
 * What a pool did so far, and what it holds: a snapshot made by {@link ArenaPool#statistics()}.
 *
 * <p>Each arena that was closed after at least one allocation is counted once: {@code
 * servedFromSlab + tooLarge + noneLeft == arenasClosed()}. Arenas that never allocated are not
 * counted, as they cost nothing. Nor are those of a pool whose {@code state} is not {@code ON}:
 * they are the JDK's own from the start, or checked.
 *
 * @param state whether the pool serves arenas, and if not, why
 * @param servedFromSlab arenas all of whose allocations came from the pool
 * @param tooLarge arenas that allocated the regular way, the first time because they asked for more
 *     than the pool has in one piece, or for an alignment of more than 64 bytes
 * @param noneLeft arenas that allocated the regular way, the first time because no slab was free or
 *     because they were among the first of their thread under the agent, or because the system had
 *     no memory for one
 * @param bytesHeld native memory of the pool, whether in use or free (in bytes)
 * @param threads platform threads that have slabs; virtual threads use those of their carriers, or
 *     shared ones
 * @param overruns if arenas are checked, segments that native code was found to have written
 *     beside, when their arena was closed; of all pools of this JVM
 * @param lateWrites if arenas are checked, segments that native code was found to have written to
 *     after their arena was closed, so far; of all pools of this JVM
 */
public record PoolStatistics(
    State state,
    long servedFromSlab,
    long tooLarge,
    long noneLeft,
    long bytesHeld,
    int threads,
    long overruns,
    long lateWrites) {

  /** Whether a pool serves arenas, and if not, why all of them go the regular way. */
  public enum State {
    /** It serves arenas. */
    ON,

    /** Its slab size or its number of slabs for a thread was set to 0. */
    OFF,

    /** Native access is denied to Rockpool. */
    DENIED,

    /**
     * In this JVM the JDK's own arenas are the faster ones (it has no optimizing compiler), or
     * promise what slabs can't (each allocation starts on a page).
     */
    UNSUITED,

    /**
     * Arenas are checked, whatever the sizes of the pool (system property {@code rockpool.check}):
     * each allocation is a malloc of its own, with guard bytes round it.
     */
    CHECKED
  }

  /**
   * Arenas closed that had allocated.
   *
   * @return the sum of those served from slabs and those served the regular way
   */
  public long arenasClosed() {
    return servedFromSlab + servedRegularly();
  }

  /**
   * Arenas closed that had allocated the regular way, at least once.
   *
   * @return the sum over all reasons
   */
  public long servedRegularly() {
    return tooLarge + noneLeft;
  }
}
