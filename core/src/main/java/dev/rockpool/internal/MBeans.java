package dev.rockpool.internal;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * MBeans of ours in the platform's MBean server. Its module may be missing: then the class is not
 * used, nor defined under the agent.
 */
public final class MBeans {
  /** Those that the server holds weakly. */
  private static final List<DynamicMBean> HELD = new CopyOnWriteArrayList<>();

  private MBeans() {}

  /**
   * Registers one, unless another copy of this library has: the agent, or one in another class
   * loader. Where that copy may go, as with an application that is deployed anew, it leaves a name
   * that stands for nothing, and ours takes its place.
   *
   * @return false if nobody has asked for that server yet, or if the other copy may go: then to be
   *     called again
   */
  public static <T> boolean register(T bean, Class<T> type, ObjectName name) throws JMException {
    if (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
      return false;
    }
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      return Callbacks.arePlain()
          ? registerPlainly(server, bean, name)
          : registerWeakly(server, new StandardMBean(bean, type, true), type, name);
    } catch (InstanceAlreadyExistsException | InstanceNotFoundException another) {
      return false; // just came, or just went
    }
  }

  private static boolean registerPlainly(MBeanServer server, Object bean, ObjectName name)
      throws JMException {
    if (!server.isRegistered(name)) {
      server.registerMBean(bean, name);
    }
    return true;
  }

  private static boolean registerWeakly(
      MBeanServer server, DynamicMBean bean, Class<?> type, ObjectName name) throws JMException {
    if (server.isRegistered(name)) {
      if (!isGone(server, name)) {
        return false;
      }
      server.unregisterMBean(name);
    }
    boolean isOfTheJdk = type.getModule().equals(DynamicMBean.class.getModule());
    Class<?>[] more = isOfTheJdk ? new Class<?>[] {type} : new Class<?>[0];
    server.registerMBean(Callbacks.weakly(DynamicMBean.class, bean, more), name);
    HELD.add(bean);
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
