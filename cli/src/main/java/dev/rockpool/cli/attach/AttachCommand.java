package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.PidConverter;
import dev.rockpool.cli.support.RunningJvm;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool attach}. */
@Command(
    name = "attach",
    header = "Load the agent into a running JVM, or take it out again.",
    description = {
      "",
      "Changes the classes that process PID has loaded, and those that it loads later. The process"
          + " must run on Java 25 or newer, belong to you, and let agents in; that it prints a"
          + " warning is the JDK's way, which -XX:+EnableDynamicAgentLoading switches off.",
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
          "As after -javaagent:rockpool-agent.jar=, for example verbose,include=com.acme.*;"
              + " uninstall takes the agent out again")
  private @Nullable String options;

  @Override
  public Integer call() {
    new RunningJvm(pid).load(Installation.agentJar(), options);
    boolean gone = "uninstall".equals(options);
    System.out.println(
        "The agent " + (gone ? "has left" : "is at work in") + " process " + pid + ".");
    return 0;
  }
}
