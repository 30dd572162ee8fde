package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.PidConverter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./rockpool attach}. */
@Command(
    name = "attach",
    header = "Load the agent into a running JVM.",
    description = {
      "",
      "Changes the classes that process PID has loaded, and those that it loads later. The process"
          + " must run on Java 25 or newer, belong to you, and let agents in; that it prints a"
          + " warning is the JDK's way, which -XX:+EnableDynamicAgentLoading switches off."
          + " './rockpool detach' takes the agent out again.",
      "",
    })
public final class AttachCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "PID",
      converter = PidConverter.class,
      description = "The process; 'jps -l' lists them.")
  private long pid;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OPTIONS",
      description =
          "As after -javaagent:rockpool-agent.jar=, for example verbose,include=com.acme.*")
  private @Nullable String options;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    AgentInJvm agent = new AgentInJvm(pid);
    boolean leaves = "uninstall".equals(options);
    if (leaves) {
      agent.uninstall();
    } else {
      try {
        agent.install(options);
      } catch (IllegalArgumentException refused) {
        throw spec == null
            ? refused
            : new ParameterException(spec.commandLine(), String.valueOf(refused.getMessage()));
      }
    }
    System.out.println(
        "The agent " + (leaves ? "has left" : "is at work in") + " process " + pid + ".");
    return 0;
  }
}
