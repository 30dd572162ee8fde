package dev.rockpool.agent;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;
import java.nio.file.Path;

/** Attaches the agent to a running program, as {@code rockpool attach} does. */
final class Attachment {
  /** Spares the target the JVM's warning that an agent was attached to it. */
  static final String ALLOW = "-XX:+EnableDynamicAgentLoading";

  private Attachment() {}

  /** Takes the agent out again. */
  static void uninstall(ChildJvm.Running target) throws Exception {
    attach(target, "uninstall");
  }

  static void attach(ChildJvm.Running target, String options) throws Exception {
    attach(target, ChildJvm.AGENT_JAR, options);
  }

  static void attach(ChildJvm.Running target, Path jar, String options) throws Exception {
    VirtualMachine jvm = VirtualMachine.attach(target.pid());
    try {
      jvm.loadAgent(jar.toString(), options);
    } catch (AgentInitializationException refused) {
      refused.addSuppressed(new AssertionError(target.soFar()));
      throw refused;
    } finally {
      jvm.detach();
    }
  }
}
