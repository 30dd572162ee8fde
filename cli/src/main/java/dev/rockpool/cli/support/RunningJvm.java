package dev.rockpool.cli.support;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * A process that should be a JVM. Each method attaches to the process, and throws a {@link
 * CommandFailure} if that fails or the process stops answering.
 */
public record RunningJvm(long pid) {
  private static final int LEAST_JAVA = 25;
  private static final int DYING_SECONDS = 3;

  /** Loads the agent, and fails if it does not start. */
  public void load(Path agentJar, @Nullable String options) {
    attached(
        machine -> {
          checkVersion(machine);
          machine.loadAgent(agentJar.toString(), options);
          return true;
        },
        options);
  }

  /** Returns the system properties of the process. */
  public Properties properties() {
    return attached(VirtualMachine::getSystemProperties, null);
  }

  /**
   * Connects to the MBeans of the process; starts the JDK's own local management agent, which
   * stays.
   */
  @SuppressWarnings("BanJNDI") // the address is the JVM's own, and the JVM is of the same user
  public JMXConnector connect() {
    return attached(
        machine ->
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())),
        null);
  }

  /** Returns class path and module path, relative entries resolved by the working directory. */
  public List<Path> classPath() {
    Properties properties = properties();
    Path folder = Path.of(properties.getProperty("user.dir", ""));
    return Stream.of("java.class.path", "jdk.module.path")
        .map(name -> properties.getProperty(name, ""))
        .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
        .filter(entry -> !entry.isEmpty())
        .map(folder::resolve)
        .toList();
  }

  /** Completes when the process has ended. */
  public CompletableFuture<?> onExit() {
    return ProcessHandle.of(pid)
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /**
   * Whether the process has ended, or ends within three seconds: a dying JVM stops answering first.
   */
  public boolean hasEnded() {
    try {
      onExit().get(DYING_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException alive) {
      return false;
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the failure to throw where the process stopped answering. */
  public CommandFailure silent(Exception e) {
    return new CommandFailure(
        "Process " + pid + " went away, or stopped answering: " + e.getMessage(), e);
  }

  private interface Use<T> {
    T of(VirtualMachine machine)
        throws IOException, AgentLoadException, AgentInitializationException;
  }

  /** Attaches, uses the JVM and detaches; options are those of an agent that is loaded. */
  private <T> T attached(Use<T> use, @Nullable String options) {
    VirtualMachine machine = attach();
    try {
      return use.of(machine);
    } catch (AgentLoadException e) {
      throw new CommandFailure("Process " + pid + " does not take the agent: " + e.getMessage(), e);
    } catch (AgentInitializationException e) {
      throw new CommandFailure(
          "The agent did not start in process "
              + pid
              + (options == null ? "" : " with options \"" + options + "\"")
              + ": the reason is in the standard error of that process",
          e);
    } catch (IOException e) {
      throw silent(e);
    } finally {
      try {
        machine.detach();
      } catch (IOException e) {
        // The process is gone: nothing to leave.
      }
    }
  }

  private VirtualMachine attach() {
    ProcessHandle process =
        ProcessHandle.of(pid)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        "PID must be that of a running process: there is no process "
                            + pid
                            + "; 'jps -l' lists the JVMs"));
    try {
      return VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException | IOException e) {
      throw new CommandFailure(
          "Cannot attach to process " + pid + ": " + e.getMessage() + "\n" + advice(process), e);
    }
  }

  private static String advice(ProcessHandle process) {
    String user = process.info().user().orElse("");
    String ours = ProcessHandle.current().info().user().orElse(user);
    return user.isEmpty() || user.equals(ours)
        ? "It must be a JVM ('jps -l' lists them) that was not started with"
            + " -XX:+DisableAttachMechanism"
        : "It belongs to user " + user + ": attach as that user, not as " + ours;
  }

  private void checkVersion(VirtualMachine machine) throws IOException {
    String version = machine.getSystemProperties().getProperty("java.specification.version", "");
    if (!version.matches("\\d+") || Integer.parseInt(version) < LEAST_JAVA) {
      throw new CommandFailure(
          "The agent needs Java %s or newer: process %s runs on Java %s"
              .formatted(LEAST_JAVA, pid, version));
    }
  }
}
