package dev.rockpool.clients;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Our direct memory as a console sees it: the buffer pool of that name, beside the JVM's. */
final class RockpoolDirect {
  private static final String NAME = "java.nio:type=BufferPool,name=rockpool-direct";

  private final BufferPoolMXBean pool;

  private RockpoolDirect(BufferPoolMXBean pool) {
    this.pool = pool;
  }

  /** Has the JVM start JMX, so that there is less to wait for later. */
  static void prepare() {
    ManagementFactory.getPlatformMBeanServer();
  }

  /** Waits until the pool is there, which takes a buffer and a second. */
  static RockpoolDirect await() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(NAME);
    while (!server.isRegistered(name)) {
      Thread.yield();
    }
    return new RockpoolDirect(
        ManagementFactory.newPlatformMXBeanProxy(server, NAME, BufferPoolMXBean.class));
  }

  long buffers() {
    return pool.getCount();
  }

  long bytes() {
    return pool.getTotalCapacity();
  }
}
