package dev.rockpool.direct;

import dev.rockpool.internal.MBeans;
import java.lang.management.BufferPoolMXBean;
import javax.management.JMException;
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
   * @return false if this has to be tried again
   */
  static boolean register(DirectMonitor.Figures figures) throws JMException {
    BufferPoolBean bean = new BufferPoolBean(figures);
    return MBeans.register(bean, BufferPoolMXBean.class, bean.getObjectName());
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
