package dev.rockpool.cli.compare;

import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A command line that starts a JVM, and how the agent gets into it: as an argument of java, or by
 * the environment.
 */
public record AgentRoute(List<String> command, Path agentJar) {
  /** Options of the agent that record a program as it is. */
  public static final String AS_IT_IS = "arenas=off,linker=off";

  /** An environment variable whose words the java launcher puts before its own arguments. */
  static final String VARIABLE = "JDK_JAVA_OPTIONS";

  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Whether the command begins with java, so that the agent can be its first argument. */
  public boolean isArgument() {
    String program = Path.of(command.getFirst()).getFileName().toString();
    return program.equals("java") || program.equals("java.exe");
  }

  public String explanation() {
    return isArgument()
        ? "the agent goes in as an argument of java"
        : "%s is not java: the agent goes in through the environment variable %s"
            .formatted(command.getFirst(), VARIABLE);
  }

  ProcessBuilder without() {
    return new ProcessBuilder(command);
  }

  /** The command with the agent, which takes {@code options}; with none if that is empty. */
  ProcessBuilder with(String options) {
    return with(options, List.of());
  }

  /** As above, and with more options of java, before those that the command has. */
  public ProcessBuilder with(String options, List<String> ofJava) {
    List<String> arguments = new ArrayList<>(ofJava);
    arguments.add("-javaagent:" + agentJar + (options.isEmpty() ? "" : "=" + options));
    ProcessBuilder builder = new ProcessBuilder(command);
    if (isArgument()) {
      List<String> changed = new ArrayList<>(command);
      changed.addAll(1, arguments);
      return builder.command(changed);
    }
    String words = arguments.stream().map(AgentRoute::quoted).collect(Collectors.joining(" "));
    builder.environment().merge(VARIABLE, words, (old, added) -> old + " " + added);
    return builder;
  }

  /**
   * As one word for the launcher. In the variable it knows both kinds of quotes, also within a
   * word, and no escapes.
   */
  static String quoted(String argument) {
    return '"' + argument.replace("\"", "\"'\"'\"") + '"';
  }

  /** Runs a program that measures itself, and knows whether the agent is there. */
  Run measure(String name, Side side, Path folder) {
    ProcessBuilder builder = side == Side.WITH ? with("") : without();
    ChildProcess process =
        ChildProcess.run(builder, folder, name, LIMIT).requireSuccess(name, side);
    Run run = Run.parse(process.outLines());
    // One that is absent, or on both sides, would make the comparison a lie.
    if (run.hasAgent() != (side == Side.WITH)) {
      throw new CommandFailure(
          "The agent must be at work on its side alone: it was not so in a run %s; does an"
                  .formatted(side)
              + " environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS) load the agent or"
              + " switch it off?\n"
              + process.errForMessage());
    }
    return run;
  }
}
