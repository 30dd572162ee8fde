package dev.rockpool.arena;

/**
 * A snapshot of a pool's counts and memory, made by {@link ArenaPool#statistics()}.
 *
 * <p>Each arena that was closed after at least one allocation is counted once: {@code fromKeptBlock
 * + fromFreshBlock + byJdk == arenasClosed()}. Arenas that never allocated are not counted, as they
 * cost nothing. Arenas of a pool whose {@code state} is not {@code ON} are not counted either: they
 * are the JDK's own, or checked. Under the agent, a struct that a native call passes or returns by
 * value counts as an arena.
 *
 * @param state whether the pool serves arenas, and if not, why
 * @param fromKeptBlock number of arenas all of whose allocations came from kept blocks
 * @param fromFreshBlock number of arenas for which a block was allocated, because the thread kept
 *     none; this costs as much as an arena of the JDK
 * @param byJdk number of arenas of which the JDK served an allocation: they asked for more than
 *     their blocks had room for, or the system had no memory
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
    long fromKeptBlock,
    long fromFreshBlock,
    long byJdk,
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

  /**
   * Returns the number of closed arenas that had allocated.
   *
   * @return the sum of arenas served from kept blocks, from fresh ones, and by the JDK
   */
  public long arenasClosed() {
    return fromKeptBlock + fromFreshBlock + byJdk;
  }
}
