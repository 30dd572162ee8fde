package dev.rockpool.arena;

/**
 * The JMX view of a pool: its sizes and its current {@link PoolStatistics}. {@link
 * ArenaPool#shared()} has the name {@value #NAME}. Under the agent, the pool of the linker's
 * buffers for structs has the name {@value #CALLS}; each buffer is an arena there.
 *
 * <p>The MBean is registered about a second after two events: the program has used the pool, and
 * the program or an attached console has asked for the platform MBean server. A program without
 * that server does not pay for JMX.
 */
public interface ArenaPoolMXBean {
  /** The object name of the shared pool. */
  String NAME = "dev.rockpool:type=ArenaPool";

  /** The object name of the pool of the linker's buffers. */
  String CALLS = "dev.rockpool:type=ArenaPool,name=calls";

  /**
   * Returns whether the pool serves arenas, and if not, why.
   *
   * @return a value of {@link PoolStatistics.State}, as text
   */
  String getState();

  /**
   * Returns the size of a slab, in bytes.
   *
   * @return the size in bytes, or 0 if the pool is off
   */
  long getSlabByteSize();

  /**
   * Returns the number of slabs that each platform thread has.
   *
   * @return a number, or 0 if the pool is off
   */
  int getSlabsPerThread();

  /**
   * Returns the number of slabs of each size that all threads share.
   *
   * @return a number, or 0 if there are none
   */
  int getSharedSlots();

  /**
   * Returns whether arenas of virtual threads may take slabs; if not, they are the JDK's, and not
   * counted, see {@link Arenas#ofConfined}.
   *
   * @return false if the pool is off, or once virtual threads were seen to wait inside arenas
   */
  boolean isServingVirtualThreads();

  /**
   * Returns the number of closed arenas that had allocated.
   *
   * @return a number since the start of the JVM
   */
  long getArenasClosed();

  /**
   * Returns the number of closed arenas all of whose allocations came from the pool.
   *
   * @return a number since the start of the JVM
   */
  long getServedFromSlab();

  /**
   * Returns the number of closed arenas that used the fallback because they asked for more than the
   * pool has.
   *
   * @return a number since the start of the JVM
   */
  long getTooLarge();

  /**
   * Returns the number of closed arenas that used the fallback because no slab was free.
   *
   * @return a number since the start of the JVM
   */
  long getNoneLeft();

  /**
   * Returns the number of closed arenas that the agent left to the JDK because they were among the
   * first of their thread.
   *
   * @return a number since the start of the JVM
   */
  long getFirstOfThread();

  /**
   * Returns the size of the pool's native memory, in use or free, in bytes.
   *
   * @return a number of bytes
   */
  long getBytesHeld();

  /**
   * Returns the number of platform threads that have slabs.
   *
   * @return a number
   */
  int getThreads();

  /**
   * Returns the number of segments beside which native code wrote, if arenas are checked.
   *
   * @return a number since the start of the JVM
   */
  long getOverruns();

  /**
   * Returns the number of segments to which native code wrote after their arena was closed, if
   * arenas are checked.
   *
   * @return a number since the start of the JVM
   */
  long getLateWrites();
}
