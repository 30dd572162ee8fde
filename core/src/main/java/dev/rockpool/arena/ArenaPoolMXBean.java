package dev.rockpool.arena;

/**
 * The JMX view of {@link ArenaPool#shared()}: its sizes and its current {@link PoolStatistics}.
 *
 * <p>The MBean is registered about a second after two events: the program has used the pool, and
 * the program or an attached console has asked for the platform MBean server. A program without
 * that server does not pay for JMX.
 */
public interface ArenaPoolMXBean {
  /** The object name of the shared pool. */
  String NAME = "dev.rockpool:type=ArenaPool";

  /** {@return a value of {@link PoolStatistics.State}, as text} */
  String getState();

  /** {@return the size of a block (in bytes), or 0 if the pool is off} */
  long getBlockByteSize();

  /** {@return how many blocks each platform thread keeps at most, or 0 if the pool is off} */
  int getBlocksPerThread();

  /** {@return the number of closed arenas that had allocated, since the start of the JVM} */
  long getArenasClosed();

  /** {@return how many of these got all their memory from kept blocks} */
  long getFromKeptBlock();

  /** {@return for how many of these a block was allocated, because the thread kept none} */
  long getFromFreshBlock();

  /** {@return for how many of these the JDK served an allocation} */
  long getByJdk();

  /** {@return the native memory in blocks that no arena uses (in bytes)} */
  long getBytesKept();

  /** {@return the number of platform threads that keep blocks} */
  int getThreads();

  /** {@return the number of segments beside which native code wrote, if arenas are checked} */
  long getOverruns();

  /**
   * {@return the number of segments to which native code wrote after their arena was closed, if
   * arenas are checked}
   */
  long getLateWrites();
}
