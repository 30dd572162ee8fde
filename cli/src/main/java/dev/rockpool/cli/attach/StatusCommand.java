package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.PidConverter;
import dev.rockpool.cli.support.RunningJvm;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool status}. */
@Command(
    name = "status",
    header = "Show what Rockpool does in a running JVM.",
    description = {
      "",
      "The agent's options, rewritten classes, skipped classes with the reason, how arenas were"
          + " served, and direct memory. Starts the JDK's local management agent in process PID and"
          + " changes nothing else.",
      "",
    })
public final class StatusCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PID",
      converter = PidConverter.class,
      description = "The process; 'jps -l' lists them.")
  private long pid;

  @Option(names = "--json", description = "Print JSON, with the names of all classes.")
  private boolean json;

  @Override
  public Integer call() {
    Status status = Status.of(new AgentInJvm(new RunningJvm(pid)));
    System.out.print(json ? JsonFile.text(status.toJson()) : status.text());
    return 0;
  }
}
