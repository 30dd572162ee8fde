package dev.rockpool.agent;

import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Shows the agent's report to JMX, as soon as the program or somebody who looks at it has started
 * that: starting it costs a tenth of a second, which is not ours to spend.
 *
 * <p>A thread of its own looks once a second, from the first class on that has call sites: one that
 * is skipped needs no pool, so there may be no other thread of ours. It ends with what it waits
 * for. The module of JMX is optional, so only {@link Bean} names its classes.
 */
final class AgentMonitor implements Runnable {
  private static final String THREAD_NAME = "rockpool-agent";
  private static final long PERIOD_MILLIS = 1000;

  /** What is to be shown; null to take away what is shown. */
  private final @Nullable AgentReport report;

  private AgentMonitor(@Nullable AgentReport report) {
    this.report = report;
  }

  /** Starts to look. */
  static void start(AgentReport report) {
    try {
      startThread(THREAD_NAME, new AgentMonitor(report));
    } catch (OutOfMemoryError noThread) {
      // Classes are rewritten all the same.
    }
  }

  /**
   * Starts a thread of the agent's, a daemon. Nothing of the program that happened to be first is
   * kept reachable.
   *
   * @throws OutOfMemoryError if the system has no thread to give
   */
  static Thread startThread(String name, Runnable task) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread thread = new Thread(group, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    return thread;
  }

  @Override
  public void run() {
    try {
      if (report != null) {
        do {
          Thread.sleep(PERIOD_MILLIS); // first, as many a program is over by then
        } while (Agent.report() == report && !isShown());
      }
      if (Agent.report() == null) {
        Bean.unregister();
      }
      if (Agent.report() != null) {
        Bean.register();
      }
    } catch (LinkageError | Exception impossible) {
      // There is nobody to show it to.
    }
  }

  /** A heap that is full now may not be so in a second. */
  private static boolean isShown() throws JMException {
    try {
      return Bean.register();
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  /**
   * Takes the bean away, unless the agent has come back in the meantime. A thread of ours does, and
   * is not waited for long: listeners of the program hear of it.
   */
  static void stop() {
    try {
      startThread(THREAD_NAME, new AgentMonitor(null)).join(PERIOD_MILLIS);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError noThread) {
      // The bean stays, and shows nothing.
    }
  }

  /** Of whichever report there is now, so it does not matter who registers it. */
  private static final class Bean implements AgentMXBean {
    /** Says no if nobody has asked for the platform's MBean server yet. */
    static boolean register() throws JMException {
      if (MBeanServerFactory.findMBeanServer(null).isEmpty()) {
        return false;
      }
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(NAME);
      if (!server.isRegistered(name)) {
        server.registerMBean(new Bean(), name);
      }
      return true;
    }

    static void unregister() throws JMException {
      if (!MBeanServerFactory.findMBeanServer(null).isEmpty()) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(NAME);
        if (server.isRegistered(name)) {
          server.unregisterMBean(name);
        }
      }
    }

    @Override
    public String getVersion() {
      AgentReport report = Agent.report();
      return report == null ? "" : report.version();
    }

    @Override
    public String getOptions() {
      AgentReport report = Agent.report();
      return report == null ? "" : report.options().toString();
    }

    @Override
    public int getRewrittenClasses() {
      AgentReport report = Agent.report();
      return report == null ? 0 : report.rewrittenClasses();
    }

    @Override
    public Map<String, Integer> getSkippedClasses() {
      AgentReport report = Agent.report();
      return report == null ? Map.of() : report.skippedClasses();
    }
  }
}
