package dev.rockpool.arena;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** The shared pool behind {@link ArenaPoolMXBean}. */
final class SharedPoolMXBean implements ArenaPoolMXBean {
  /**
   * Registers it with the platform's MBean server.
   *
   * @return false if nobody has asked for that server yet
   */
  static boolean register() throws JMException {
    if (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
      return false;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(NAME);
    // Else the program has this library in another class loader, too, or the agent came first.
    if (!server.isRegistered(name)) {
      server.registerMBean(new SharedPoolMXBean(), name);
    }
    return true;
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
