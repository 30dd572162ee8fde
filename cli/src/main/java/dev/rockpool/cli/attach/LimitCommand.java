package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Converters.Pid;
import dev.rockpool.cli.support.RunningJvm;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "limit",
    header = "Change the limit of native memory in a running JVM.",
    description = {
      "",
      "The agent must be there with option limit. The new limit must not be below what is in use."
          + " It lasts until the JVM ends or another is set. Starts the JDK's local management"
          + " agent in process PID.",
      "",
    })
public final class LimitCommand implements Runnable {
  @Parameters(index = "0", paramLabel = "PID", converter = Pid.class, description = "The process.")
  private long pid;

  @Parameters(
      index = "1",
      paramLabel = "LIMIT",
      description =
          "A number of bytes, as in 512m, or a share of the container's memory, as in 25%%.")
  private String limit = "";

  @Override
  public void run() {
    try (Beans beans = new Beans(new RunningJvm(pid))) {
      beans.await(Beans.AGENT);
      Map<String, Object> agent = beans.attributes(Beans.AGENT);
      if (agent == null || Beans.number(agent, "limit") == 0) {
        throw new CommandFailure(
            "Process %d has no limit to change: it has %s"
                .formatted(pid, agent == null ? "no agent" : "an agent without option limit"));
      }
      long before = Beans.number(agent, "limit");
      beans.invoke(Beans.AGENT, "changeLimit", limit);
      long now = Beans.number(Objects.requireNonNull(beans.attributes(Beans.AGENT)), "limit");
      System.out.printf("The limit is %,d bytes; it was %,d.%n", now, before);
    }
  }
}
