package dev.rockpool.cli.attach;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.rockpool.cli.support.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A process that should be a JVM and let agents in; where it is not or does not, says so. */
record RunningJvm(long pid) {
  private static final int LEAST_JAVA = 25;

  /** Loads the agent, and fails if it does not start. */
  void load(Path agentJar, @Nullable String options) {
    VirtualMachine machine = attach();
    try {
      checkVersion(machine);
      machine.loadAgent(agentJar.toString(), options);
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
      throw new CommandFailure(
          "Process " + pid + " went away, or stopped answering: " + e.getMessage(), e);
    } finally {
      detach(machine);
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
    Optional<String> user = process.info().user();
    Optional<String> ours = ProcessHandle.current().info().user();
    if (user.isPresent() && ours.isPresent() && !user.equals(ours)) {
      return "It belongs to user " + user.get() + ": attach as that user, not as " + ours.get();
    }
    return "It must be a JVM ('jps -l' lists them) that was not started with"
        + " -XX:+DisableAttachMechanism";
  }

  private void checkVersion(VirtualMachine machine) throws IOException {
    String version = machine.getSystemProperties().getProperty("java.specification.version", "");
    if (!version.matches("\\d+") || Integer.parseInt(version) < LEAST_JAVA) {
      throw new CommandFailure(
          "The agent needs Java "
              + LEAST_JAVA
              + " or newer: process "
              + pid
              + " runs on Java "
              + version);
    }
  }

  private static void detach(VirtualMachine machine) {
    try {
      machine.detach();
    } catch (IOException e) {
      // The process is gone: nothing to leave.
    }
  }
}
