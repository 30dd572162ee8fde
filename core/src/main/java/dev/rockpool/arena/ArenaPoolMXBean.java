package dev.rockpool.arena;

/**
 * The JMX view of {@link ArenaPool#shared()}: its sizes and its current {@link PoolStatistics}.
 *
 * <p>The MBean is registered about a second after the program has used the pool, and the program or
 * an attached console has asked for the platform MBean server. A program without that server does
 * not pay for JMX.
 *
 * @since 0.1.0
 */
public interface ArenaPoolMXBean {
  /** The object name of the shared pool. */
  String NAME = "dev.rockpool:type=ArenaPool";

  /** {@return a value of {@link PoolStatistics.State}, as text} */
  String getState();

  /** {@return the size of a block (in bytes), or 0 if the pool is off} */
  long getBlockByteSize();

  /** {@return how many blocks each platform thread may keep, or 0 if the pool is off} */
  int getBlocksPerThread();

  /** {@return the number of arenas closed after they had used a block} */
  long getArenasClosed();

  /** {@return the number of blocks allocated, because none was kept for an arena} */
  long getBlocksAllocated();

  /** {@return the number of allocations that the JDK served, because they did not fit a block} */
  long getAllocationsByJdk();

  /** {@return the native memory in kept blocks (in bytes)} */
  long getBytesKept();

  /** {@return the number of live platform threads that have kept blocks} */
  int getThreads();

  /** {@return the number of segments beside which native code wrote, if arenas are checked} */
  long getOverruns();

  /**
   * {@return the number of segments to which native code wrote after their arena was closed, if
   * arenas are checked}
   */
  long getLateWrites();
}
