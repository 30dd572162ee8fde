package dev.rockpool.arena;

import dev.rockpool.internal.MBeans;
import javax.management.JMException;
import javax.management.ObjectName;

/** Implements {@link ArenaPoolMXBean} for the shared pool. */
final class SharedPoolMXBean implements ArenaPoolMXBean {
  /**
   * Registers the MBean with the platform MBean server.
   *
   * @return false if the caller should try again
   */
  static boolean register() throws JMException {
    return MBeans.register(new SharedPoolMXBean(), ArenaPoolMXBean.class, new ObjectName(NAME));
  }

  private static PoolStatistics statistics() {
    return ArenaPool.shared().statistics();
  }

  @Override
  public String getState() {
    return statistics().state().name();
  }

  @Override
  public long getSlabByteSize() {
    return ArenaPool.shared().slabByteSize();
  }

  @Override
  public int getSlabsPerThread() {
    return ArenaPool.shared().slabsPerThread();
  }

  @Override
  public int getSharedSlots() {
    return ArenaPool.shared().sharedSlots();
  }

  @Override
  public long getArenasClosed() {
    return statistics().arenasClosed();
  }

  @Override
  public long getServedFromSlab() {
    return statistics().servedFromSlab();
  }

  @Override
  public long getTooLarge() {
    return statistics().tooLarge();
  }

  @Override
  public long getNoneLeft() {
    return statistics().noneLeft();
  }

  @Override
  public long getBytesHeld() {
    return statistics().bytesHeld();
  }

  @Override
  public int getThreads() {
    return statistics().threads();
  }

  @Override
  public long getOverruns() {
    return statistics().overruns();
  }

  @Override
  public long getLateWrites() {
    return statistics().lateWrites();
  }
}
