package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.Converters.Target;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "attach",
    header = "Load the agent into a running JVM.",
    description = {
      "",
      "Changes the classes that process PID has loaded, and those that it loads later. The process"
          + " must run on Java 25 or newer, belong to you, and let agents in; it prints the"
          + " JDK's warning, unless -XX:+EnableDynamicAgentLoading is set.",
      "",
    })
public final class AttachCommand implements Runnable {
  @Mixin private Target target = new Target();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OPTIONS",
      description =
          "As after -javaagent:rockpool-agent.jar=, for example verbose,include=com.acme.*")
  private @Nullable String options;

  @Override
  public void run() {
    AgentInJvm agent = new AgentInJvm(target.jvm());
    if ("uninstall".equals(options)) {
      Detach.run(agent);
      return;
    }
    agent.install(options);
    System.out.println("The agent is at work in process " + agent.jvm().pid() + ".");
  }

  @Command(
      name = "detach",
      header = "Take the agent out of a running JVM.",
      description = {
        "",
        "Restores the classes of process PID; its next arena is the JDK's. Open arenas stay pooled"
            + " until they are closed.",
        "",
      })
  public static final class Detach implements Runnable {
    @Mixin private Target target = new Target();

    @Override
    public void run() {
      run(new AgentInJvm(target.jvm()));
    }

    private static void run(AgentInJvm agent) {
      agent.uninstall();
      System.out.println("The agent has left process " + agent.jvm().pid() + ".");
    }
  }
}
