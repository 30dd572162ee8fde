package dev.rockpool.arena;

/**
 * {@link ArenaPool#shared()} as seen by JMX, under the name {@value #NAME}: the sizes of the pool
 * and its {@link PoolStatistics}, each read anew.
 *
 * <p>It is registered about a second after the program has used the pool and somebody, a console
 * that was attached for instance, has asked for the platform's MBean server. A program that nobody
 * looks at does not pay for JMX.
 */
public interface ArenaPoolMXBean {
  /** The object name. */
  String NAME = "dev.rockpool:type=ArenaPool";

  /**
   * Whether the pool serves arenas, and if not, why.
   *
   * @return a value of {@link PoolStatistics.State}, as text
   */
  String getState();

  /**
   * The size of a slab.
   *
   * @return bytes, or 0 if the pool is off
   */
  long getSlabByteSize();

  /**
   * How many slabs each thread has.
   *
   * @return a number, or 0 if the pool is off
   */
  int getSlabsPerThread();

  /**
   * How many slabs of each size all threads share.
   *
   * @return a number, or 0 if there are none
   */
  int getSharedSlots();

  /**
   * Arenas closed that had allocated.
   *
   * @return a number since the start of the JVM
   */
  long getArenasClosed();

  /**
   * Arenas all of whose allocations came from the pool.
   *
   * @return a number since the start of the JVM
   */
  long getServedFromSlab();

  /**
   * Arenas that allocated the regular way, because they asked for more than the pool has.
   *
   * @return a number since the start of the JVM
   */
  long getTooLarge();

  /**
   * Arenas that allocated the regular way, because no slab was free, or because they were among the
   * first of their thread under the agent.
   *
   * @return a number since the start of the JVM
   */
  long getNoneLeft();

  /**
   * Native memory of the pool.
   *
   * @return bytes, in use or free
   */
  long getBytesHeld();

  /**
   * Platform threads that have slabs.
   *
   * @return a number
   */
  int getThreads();

  /**
   * Segments that native code was found to have written beside, if arenas are checked.
   *
   * @return a number since the start of the JVM
   */
  long getOverruns();

  /**
   * Segments that native code was found to have written to after their arena was closed, if arenas
   * are checked.
   *
   * @return a number since the start of the JVM
   */
  long getLateWrites();
}
