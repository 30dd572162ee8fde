package dev.rockpool.internal;

import java.lang.management.ManagementFactory;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Registers MBeans with the platform MBean server. Without module java.management a use of this
 * class fails with a {@link LinkageError}.
 */
public final class MBeans {
  private MBeans() {}

  /**
   * Whether the platform MBean server is there. A program may have made servers of its own, and
   * asking for the platform's would start it. A server of a class of the program is believed to be
   * the platform's, because its methods may block.
   */
  public static boolean isServerStarted() throws JMException {
    for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
      boolean isOfTheJdk = server.getClass().getModule().equals(MBeanServer.class.getModule());
      if (!isOfTheJdk
          || server.isRegistered(new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Registers an MBean, unless another copy of this library has: the agent, or a copy in another
   * class loader. A copy whose loader is unloaded, as when an application is redeployed, leaves a
   * name without an MBean behind. If this copy's loader may be unloaded, too, this copy takes over
   * that name.
   *
   * @return false if the caller should try again: the platform MBean server does not exist yet, or
   *     another copy has the name and this copy's loader may be unloaded
   * @throws JMException if the server refused the MBean
   */
  public static <T> boolean register(T bean, Class<T> type, String objectName) throws JMException {
    if (!isServerStarted()) {
      return false;
    }
    ObjectName name = new ObjectName(objectName);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (!Callbacks.arePlain()) {
        return registerWeakly(server, new StandardMBean(bean, type, true), name);
      }
      if (!server.isRegistered(name)) {
        server.registerMBean(bean, name);
      }
      return true;
    } catch (InstanceAlreadyExistsException | InstanceNotFoundException another) {
      return false; // another copy came or went just now
    }
  }

  private static boolean registerWeakly(MBeanServer server, DynamicMBean bean, ObjectName name)
      throws JMException {
    if (server.isRegistered(name)) {
      if (!isGone(server, name)) {
        return false;
      }
      server.unregisterMBean(name);
    }
    server.registerMBean(Callbacks.weakly(DynamicMBean.class, bean), name);
    return true;
  }

  private static boolean isGone(MBeanServer server, ObjectName name) throws JMException {
    try {
      server.getMBeanInfo(name);
      return false;
    } catch (JMRuntimeException noInfo) {
      return true;
    }
  }
}
