package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.RunningJvm;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

public record AgentInJvm(RunningJvm jvm) {
  /** The system property that the agent sets while it is there. */
  static final String OPTIONS = "rockpool.agent.options";

  /** The system property that the agent sets while it leaves arenas to the JDK's own pool. */
  static final String JDK_POOL = "rockpool.agent.jdk.pool";

  AgentInJvm(long pid) {
    this(new RunningJvm(pid));
  }

  boolean isThere() {
    return options() != null;
  }

  /** Returns the options in force, or null if the agent is not there. */
  @Nullable String options() {
    return jvm.properties().getProperty(OPTIONS);
  }

  /**
   * Whether an option has a value.
   *
   * @param options as the agent shows them
   * @param option name and value, such as record=off
   */
  public static boolean has(String options, String option) {
    return List.of(options.split(",", -1)).contains(option);
  }

  /** Installs the agent; options that it does not accept are a {@link Misuse}. */
  void install(@Nullable String options) {
    Properties properties = jvm.properties();
    String wanted = accepted(options, properties.getProperty("user.dir", ""), jvm.pid());
    String there = properties.getProperty(OPTIONS);
    if (there != null && !there.equals(wanted)) {
      throw new CommandFailure(
          ("The agent is installed once in a JVM: process %1$s has it with %2$s;"
                  + " '%3$s' takes it out")
              .formatted(jvm.pid(), there, Installation.command("detach", "" + jvm.pid())));
    }
    load(options, "start in");
  }

  void uninstall() {
    if (!isThere()) {
      throw new CommandFailure(
          "The agent must be in the process to leave it: it is not in process "
              + jvm.pid()
              + ", and nothing was changed");
    }
    load("uninstall", "leave");
  }

  private void load(@Nullable String options, String verb) {
    jvm.load(Installation.agentJar(), options);
    if (isThere() == "uninstall".equals(options)) {
      throw new CommandFailure(
          "The agent did not %s process %s: the reason is in the standard error of that process"
              .formatted(verb, jvm.pid()));
    }
  }

  /**
   * Checks options by the agent's own table.
   *
   * @param folder the working directory of the JVM with the agent
   * @param pid its process id
   * @return the options as the agent shows them
   * @throws Misuse with the agent's message, if it does not accept them
   */
  static String accepted(@Nullable String options, String folder, long pid) {
    try (URLClassLoader agent =
        new URLClassLoader(new URL[] {Installation.agentJar().toUri().toURL()})) {
      Method accepted =
          agent
              .loadClass("dev.rockpool.agent.AgentTool")
              .getDeclaredMethod("accepted", String.class, String.class, long.class);
      accepted.setAccessible(true);
      return (String) accepted.invoke(null, options, folder, pid);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof IllegalArgumentException refused) {
        throw new Misuse(String.valueOf(refused.getMessage()));
      }
      throw new IllegalStateException(thrown);
    } catch (IOException | ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
