package dev.rockpool.cli.support;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * A process that should be a JVM. Each method throws a {@link CommandFailure} if the process is
 * none, goes away, or does not answer in time.
 */
public record RunningJvm(long pid) {
  private static final int LEAST_JAVA = 25;

  /** More than the ten seconds after which the JDK itself gives up attaching. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** The agent looks at all classes of the process, and writes a recording when it leaves. */
  private static final Duration PATIENCE_WITH_AGENT = Duration.ofMinutes(1);

  private static final Duration DYING = Duration.ofSeconds(3);

  /** Those of the JDK's modules whose objects JMX sends. */
  private static final String TRUSTED =
      "java.base/*;java.management/*;java.management.rmi/*;java.rmi/*;jdk.management/*;"
          + "jdk.management.jfr/*;!*";

  static {
    // The other process must not choose classes of ours to make objects of.
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(ObjectInputFilter.Config.createFilter(TRUSTED));
    }
  }

  /** Lets somebody at a terminal choose from the JVMs that run. Elsewhere the list is a misuse. */
  public static RunningJvm choose() {
    String own = Long.toString(ProcessHandle.current().pid());
    List<VirtualMachineDescriptor> all =
        VirtualMachine.list().stream().filter(each -> !each.id().equals(own)).toList();
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      // The words behind the first one are arguments, which may be long, or secret.
      String program = all.get(i).displayName().split(" ", 2)[0].replaceAll("\\p{Cc}", "?");
      list.append("%n%3d  PID %s  %s".formatted(i + 1, all.get(i).id(), program));
    }
    if (all.isEmpty() || !Progress.isTerminal()) {
      throw new Misuse(
          "PID must be given: "
              + (all.isEmpty() ? "no JVM runs that you may attach to" : "these JVMs run:" + list));
    }
    System.out.println("Which JVM?" + list);
    String answer = Objects.requireNonNull(System.console()).readLine("Number: ");
    if (answer == null || !answer.strip().matches("\\d{1,9}")) {
      throw new Misuse("The number must be one of the list: it is " + answer);
    }
    int number = Integer.parseInt(answer.strip());
    Misuse.unless(
        number >= 1 && number <= all.size(), "The number must be one of the list: it is " + number);
    return new RunningJvm(Long.parseLong(all.get(number - 1).id()));
  }

  /** Loads the agent, and fails if it does not start. */
  public void load(Path agentJar, @Nullable String options) {
    attached(
        PATIENCE_WITH_AGENT,
        machine -> {
          try {
            requireVersion(machine);
            machine.loadAgent(agentJar.toString(), options);
            return true;
          } catch (AgentLoadException e) {
            throw new CommandFailure(
                "Process " + pid + " does not take the agent: " + e.getMessage(), e);
          } catch (AgentInitializationException e) {
            throw new CommandFailure(
                "The agent did not start in process "
                    + pid
                    + (options == null ? "" : " with options \"" + options + "\"")
                    + ": the reason is in the standard error of that process",
                e);
          }
        });
  }

  private void requireVersion(VirtualMachine machine) throws IOException {
    String version = machine.getSystemProperties().getProperty("java.specification.version", "");
    if (!version.matches("\\d+") || Integer.parseInt(version) < LEAST_JAVA) {
      throw new CommandFailure(
          "The agent needs Java %s or newer: process %s runs on Java %s"
              .formatted(LEAST_JAVA, pid, version));
    }
  }

  public Properties properties() {
    return attached(PATIENCE, VirtualMachine::getSystemProperties);
  }

  /**
   * Connects to the MBeans of the process; starts the JDK's own local management agent, which
   * stays.
   */
  @SuppressWarnings("BanJNDI") // the address is the JVM's own, and the JVM is of the same user
  public JMXConnector connect() {
    return attached(
        PATIENCE,
        machine ->
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
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

  public CompletableFuture<?> onExit() {
    return ProcessHandle.of(pid)
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /** Whether the process has ended, or is about to: a dying JVM stops answering first. */
  public boolean hasEnded() {
    return onExit()
        .thenApply(_ -> true)
        .completeOnTimeout(false, DYING.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  /**
   * Waits for what the process answers to a request, by attach or JMX. These may wait without end
   * where a process is stopped, so the request runs on a thread of its own, which may outlive this
   * method.
   */
  public <T> T ask(Callable<T> request) {
    return ask(request, PATIENCE);
  }

  /** Asks the process for nothing more: whoever ends can't wait long, and needs no answer. */
  public void leave(AutoCloseable connection) {
    try {
      ask(
          () -> {
            connection.close();
            return true;
          },
          DYING);
    } catch (CommandFailure gone) {
      // There is nothing left to close.
    }
  }

  private <T> T ask(Callable<T> request, Duration patience) {
    FutureTask<T> answer = new FutureTask<>(request);
    Thread.ofPlatform().daemon().start(answer);
    try {
      return answer.get(patience.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          "Process %s must answer within %s s: it did not; it is stopped, or too busy"
              .formatted(pid, patience.toSeconds()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted while waiting for process " + pid, e);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      if (cause instanceof RuntimeException failure) {
        throw failure;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new CommandFailure(
          "Process " + pid + " went away, or stopped answering: " + cause.getMessage(), cause);
    }
  }

  private interface Use<T> {
    T of(VirtualMachine machine) throws IOException;
  }

  /** Attaches, uses the JVM and detaches. */
  private <T> T attached(Duration patience, Use<T> use) {
    return ask(
        () -> {
          VirtualMachine machine = attach();
          try {
            return use.of(machine);
          } finally {
            machine.detach();
          }
        },
        patience);
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
        ? "It must be a JVM ('jps -l' lists them) that is not stopped, and was not started with"
            + " -XX:+DisableAttachMechanism"
        : "It belongs to user " + user + ": attach as that user, not as " + ours;
  }
}
