package dev.rockpool.agent;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.MBeans;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Shows the agent's report to JMX, as soon as the program or an observer has started JMX. The agent
 * does not start JMX, because starting is slow.
 *
 * <p>From the first class with call sites on, a thread of its own checks once a second. The thread
 * ends once the report is shown or the agent uninstalled. Module java.management is optional, so
 * only {@link Bean} names its classes.
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
    if (report.isFirstLook()) {
      start(report);
    }
  }

  /**
   * Unregisters the MBean. Does so on another thread, and does not wait long, because the server
   * calls listeners of the program.
   */
  static void stop() {
    Thread stopping = start(null);
    try {
      if (stopping != null) {
        stopping.join(PERIOD_MILLIS);
      }
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns null if there is no thread to be had; then nothing changes. */
  private static @Nullable Thread start(@Nullable AgentReport report) {
    try {
      return Daemon.start(THREAD_NAME, new AgentMonitor(report));
    } catch (OutOfMemoryError noThread) {
      return null;
    }
  }

  @Override
  public void run() {
    try {
      if (report == null) {
        Bean.replaceBy(Agent.report()); // null, or an agent that came meanwhile
        return;
      }
      do {
        Thread.sleep(PERIOD_MILLIS); // before the first check, as short programs need none
      } while (Agent.report() == report && !Bean.replaceBy(report));
    } catch (InterruptedException | LinkageError unshown) {
      // JMX is not in this JVM, so that no exception of its may be named here.
    }
  }

  private static final class Bean {
    /** Returns false if the platform MBean server does not exist yet; true if it refuses, too. */
    static boolean replaceBy(@Nullable AgentReport report) {
      try {
        if (!MBeans.isServerStarted()) {
          return false;
        }
        replaceIn(ManagementFactory.getPlatformMBeanServer(), report);
      } catch (JMException refused) {
        return true;
      }
      return true;
    }

    private static void replaceIn(MBeanServer server, @Nullable AgentReport report)
        throws JMException {
      ObjectName name = new ObjectName(AgentMXBean.NAME);
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
      if (report != null) {
        server.registerMBean(report, name);
      }
    }
  }
}
