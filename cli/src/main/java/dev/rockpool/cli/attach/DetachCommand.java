package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.PidConverter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool detach}. */
@Command(
    name = "detach",
    header = "Take the agent out of a running JVM.",
    description = {
      "",
      "Restores the classes of process PID; its next arena is the JDK's. Open arenas stay pooled"
          + " until they are closed.",
      "",
    })
public final class DetachCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PID",
      converter = PidConverter.class,
      description = "The process; 'jps -l' lists them.")
  private long pid;

  @Override
  public Integer call() {
    AgentInJvm agent = new AgentInJvm(pid);
    if (agent.options() == null) {
      throw new CommandFailure(
          "The agent must be in the process to leave it: it is not in process "
              + pid
              + ", and nothing was changed");
    }
    agent.uninstall();
    System.out.println("The agent has left process " + pid + ".");
    return 0;
  }
}
