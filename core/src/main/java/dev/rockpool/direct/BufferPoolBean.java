package dev.rockpool.direct;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** Direct memory beside the JVM's own buffer pools, where monitoring tools look for them. */
final class BufferPoolBean implements BufferPoolMXBean {
  private static final String NAME = "rockpool-direct";

  private final DirectMonitor.Figures figures;

  private BufferPoolBean(DirectMonitor.Figures figures) {
    this.figures = figures;
  }

  /**
   * Registers it with the platform's MBean server.
   *
   * @return false if nobody has asked for that server yet
   */
  static boolean register(DirectMonitor.Figures figures) throws JMException {
    if (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
      return false;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    BufferPoolBean bean = new BufferPoolBean(figures);
    // Else the program has this library in another class loader, too, or the agent came first.
    if (!server.isRegistered(bean.getObjectName())) {
      server.registerMBean(bean, bean.getObjectName());
    }
    return true;
  }

  @Override
  public ObjectName getObjectName() {
    try {
      return new ObjectName("java.nio:type=BufferPool,name=" + NAME);
    } catch (JMException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public long getCount() {
    return figures.blocks();
  }

  @Override
  public long getTotalCapacity() {
    return figures.reserved();
  }

  @Override
  public long getMemoryUsed() {
    return figures.used();
  }
}
