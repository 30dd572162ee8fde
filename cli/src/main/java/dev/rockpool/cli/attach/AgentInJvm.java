package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.RunningJvm;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The agent in a running JVM: its options, its coming and its going. */
record AgentInJvm(RunningJvm jvm) {
  /** The system property that the agent sets while it is there. */
  private static final String OPTIONS = "rockpool.agent.options";

  /** The system property that the agent sets while it leaves arenas to the JDK's own pool. */
  private static final String JDK_POOL = "rockpool.agent.jdk.pool";

  AgentInJvm(long pid) {
    this(new RunningJvm(pid));
  }

  boolean isThere() {
    return options() != null;
  }

  /** The options in force, or null if the agent is not there. */
  @Nullable String options() {
    return jvm.properties().getProperty(OPTIONS);
  }

  /** How large the JDK's own pool is, in words, or null if the agent leaves no arenas to it. */
  @Nullable String jdkPool() {
    return jvm.properties().getProperty(JDK_POOL);
  }

  /**
   * Installs the agent.
   *
   * @throws IllegalArgumentException if the agent does not accept the options; nothing was changed
   */
  void install(@Nullable String options) {
    Properties properties = jvm.properties();
    Path folder = Path.of(properties.getProperty("user.dir", ""));
    String wanted = accepted(options, folder, jvm.pid());
    String there = properties.getProperty(OPTIONS);
    if (there != null && !there.equals(wanted)) {
      throw new CommandFailure(
          ("The agent is installed once in a JVM: process %1$s has it with %2$s;"
                  + " './rockpool detach %1$s' takes it out")
              .formatted(jvm.pid(), there));
    }
    jvm.load(Installation.agentJar(), options);
    if (!isThere()) {
      throw didNot("start in");
    }
  }

  void uninstall() {
    jvm.load(Installation.agentJar(), "uninstall");
    if (isThere()) {
      throw didNot("leave");
    }
  }

  /** Takes the agent out, which must be there, and says so. */
  void leave() {
    if (!isThere()) {
      throw new CommandFailure(
          "The agent must be in the process to leave it: it is not in process "
              + jvm.pid()
              + ", and nothing was changed");
    }
    uninstall();
    System.out.println("The agent has left process " + jvm.pid() + ".");
  }

  private CommandFailure didNot(String verb) {
    return new CommandFailure(
        "The agent did not %s process %s: the reason is in the standard error of that process"
            .formatted(verb, jvm.pid()));
  }

  /**
   * Checks options by the agent's own table.
   *
   * @return the options as the agent shows them
   * @throws IllegalArgumentException with the agent's message, if it does not accept them
   */
  static String accepted(@Nullable String options, Path folder, long pid) {
    try (URLClassLoader agent =
        new URLClassLoader(new URL[] {Installation.agentJar().toUri().toURL()})) {
      Method parse =
          agent
              .loadClass("dev.rockpool.agent.AgentOptions")
              .getDeclaredMethod("parse", String.class, Path.class, long.class);
      parse.setAccessible(true);
      return String.valueOf(parse.invoke(null, options, folder, pid));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(e);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
