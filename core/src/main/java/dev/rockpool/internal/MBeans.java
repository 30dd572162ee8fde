package dev.rockpool.internal;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
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
 * Registers MBeans with the platform MBean server. Without module java.management this class is not
 * used, and the agent does not define it.
 */
public final class MBeans {
  /** Attempts that are under way, or whose outcome nobody has asked for yet. */
  private static final Map<String, FutureTask<Boolean>> ATTEMPTS = new ConcurrentHashMap<>();

  private MBeans() {}

  /**
   * Whether the platform MBean server is there. A program may have made servers of its own, and
   * asking for the platform's would start it. A server of a class of the program is believed to be
   * the platform's, because its methods may block.
   */
  private static boolean isStarted() throws JMException {
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
   * <p>The server calls listeners of the program, which may be slow. So a separate thread
   * registers, and the housekeeper, which calls this, does not wait.
   *
   * @return false if the caller should try again: the platform MBean server does not exist yet,
   *     registration is not finished, or another copy has the name and this copy's loader may be
   *     unloaded
   * @throws JMException if the server refused the MBean
   */
  public static <T> boolean register(T bean, Class<T> type, String name) throws JMException {
    if (!isStarted()) {
      return false;
    }
    FutureTask<Boolean> attempt = ATTEMPTS.get(name);
    if (attempt == null) {
      attempt = new FutureTask<>(() -> registerNow(bean, type, new ObjectName(name)));
      Daemon.start("rockpool-jmx", attempt);
      ATTEMPTS.put(name, attempt);
      return false;
    }
    if (!attempt.isDone()) {
      return false;
    }
    ATTEMPTS.remove(name);
    if (attempt.state() == Future.State.FAILED) {
      throw new JMException(attempt.exceptionNow().toString());
    }
    return attempt.resultNow();
  }

  private static <T> boolean registerNow(T bean, Class<T> type, ObjectName name)
      throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      if (!Callbacks.arePlain()) {
        return registerWeakly(server, new StandardMBean(bean, type, true), type, name);
      }
      if (!server.isRegistered(name)) {
        server.registerMBean(bean, name);
      }
      return true;
    } catch (InstanceAlreadyExistsException | InstanceNotFoundException another) {
      return false; // another copy came or went just now
    }
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
