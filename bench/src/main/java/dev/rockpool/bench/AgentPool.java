package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The pool of the agent, as far as programs can see it. */
final class AgentPool {
  private static final String CARRIER = "java.lang.foreign.RockpoolCarrier";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private AgentPool() {}

  /** Whether the current virtual thread is served from the slabs of its carrier. */
  static boolean reachesCarriers() {
    try {
      long id = (long) Class.forName(CARRIER).getMethod("id").invoke(null);
      return id != Thread.currentThread().threadId();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The agent is not there, or not of this build", e);
    }
  }

  /** How many arenas were served from slabs, and closed. */
  static long servedFromSlab() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName pool = new ObjectName(ArenaPoolMXBean.NAME);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!server.isRegistered(pool) && System.nanoTime() < deadline) {
        Thread.sleep(10); // the agent looks for the server once a second
      }
      return (long) server.getAttribute(pool, "ServedFromSlab");
    } catch (JMException e) {
      throw new IllegalStateException("The agent is not there, or not of this build", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted while waiting for " + ArenaPoolMXBean.NAME, e);
    }
  }
}
