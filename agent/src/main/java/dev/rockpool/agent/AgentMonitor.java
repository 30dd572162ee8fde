package dev.rockpool.agent;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Shows the agent's report to JMX, as soon as the program or an observer has started JMX. The agent
 * does not start JMX, because starting is slow.
 *
 * <p>From the first class with call sites on, a thread of its own checks once a second. The pool's
 * thread would not do, because without a rewritten class there is no pool. The thread ends once the
 * report is shown or the agent uninstalled. Module java.management is optional, so only {@link
 * Bean} names its classes. The library's {@code MBeans} would not do, because the agent names no
 * class of the library, which is defined later.
 */
final class AgentMonitor implements Runnable {
  private static final String THREAD_NAME = "rockpool-agent";
  private static final long PERIOD_MILLIS = 1000;

  /** The report to show; null at the end. */
  private final @Nullable AgentReport report;

  private AgentMonitor(@Nullable AgentReport report) {
    this.report = report;
  }

  /** Starts a thread that shows {@code report} once JMX is started, unless one was started. */
  static void startOnce(AgentReport report) {
    if (!report.isFirstLook()) {
      return;
    }
    try {
      Console.startThread(THREAD_NAME, new AgentMonitor(report));
    } catch (OutOfMemoryError noThread) {
      // Nothing is shown; classes are rewritten all the same.
    }
  }

  /** Shows the report once JMX is started; ends without it if the agent is uninstalled first. */
  @Override
  public void run() {
    try {
      boolean isShown = false;
      while (report != null && Agent.report() == report && !isShown) {
        Thread.sleep(PERIOD_MILLIS); // before the first check, as short programs need none
        isShown = Agent.report() == report && Bean.register();
      }
      Bean.update();
    } catch (Throwable impossible) {
      // The report stays unshown.
    }
  }

  /**
   * Unregisters the MBean, unless the agent was installed again meanwhile. Does so on another
   * thread, and does not wait long, because the server calls listeners of the program.
   */
  static void stop() {
    try {
      Console.startThread(THREAD_NAME, new AgentMonitor(null)).join(PERIOD_MILLIS);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError noThread) {
      // The MBean stays, and shows nothing.
    }
  }

  /** Shows the current report, so any thread's instance will do. */
  private static final class Bean implements AgentMXBean {
    /** Unregisters the MBean if the agent is not installed, and registers it otherwise. */
    static void update() throws JMException {
      if (Agent.report() == null && isStarted()) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(AgentMXBean.NAME);
        if (server.isRegistered(name)) {
          server.unregisterMBean(name);
        }
      }
      if (Agent.report() != null) { // installed again meanwhile, perhaps
        register();
      }
    }

    /** Registers the MBean; returns false if the platform MBean server does not exist yet. */
    static boolean register() throws JMException {
      if (!isStarted()) {
        return false;
      }
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(AgentMXBean.NAME);
      if (!server.isRegistered(name)) {
        server.registerMBean(new Bean(), name);
      }
      return true;
    }

    /** As in the library's {@code MBeans}, which may not be defined. */
    private static boolean isStarted() throws JMException {
      for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
        boolean isOfTheJdk = server.getClass().getModule() == MBeanServer.class.getModule();
        if (!isOfTheJdk
            || server.isRegistered(new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME))) {
          return true;
        }
      }
      return false;
    }

    @Override
    public String getVersion() {
      AgentReport report = Agent.report();
      return report == null ? "" : report.version;
    }

    @Override
    public String getOptions() {
      AgentReport report = Agent.report();
      return report == null ? "" : report.options.toString();
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

    @Override
    public List<String> rewrittenNames() {
      AgentReport report = Agent.report();
      return report == null ? List.of() : report.rewrittenNames();
    }

    @Override
    public Map<String, List<String>> skippedNames() {
      AgentReport report = Agent.report();
      return report == null ? Map.of() : report.skippedNames();
    }
  }
}
