package dev.rockpool.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the agent gets into somebody's command: as an argument of java, or by the environment. */
record AgentRoute(List<String> command, Path agentJar) {
  /** An environment variable whose words the java launcher puts before its own arguments. */
  static final String VARIABLE = "JDK_JAVA_OPTIONS";

  /** Whether the command begins with java, so that the agent can be its first argument. */
  boolean isArgument() {
    String program = Path.of(command.getFirst()).getFileName().toString();
    return program.equals("java") || program.equals("java.exe");
  }

  String explanation() {
    return isArgument()
        ? "the agent goes in as an argument of java"
        : command.getFirst()
            + " is not java: the agent goes in through the environment variable "
            + VARIABLE;
  }

  ProcessBuilder without() {
    return new ProcessBuilder(command);
  }

  ProcessBuilder with() {
    return with("-javaagent:" + agentJar);
  }

  /** With an agent that says, on standard error, that it is there, and what it does. */
  ProcessBuilder withVerbose() {
    return with("-javaagent:" + agentJar + "=verbose");
  }

  private ProcessBuilder with(String argument) {
    ProcessBuilder builder = new ProcessBuilder(command);
    if (isArgument()) {
      List<String> changed = new ArrayList<>(command);
      changed.add(1, argument);
      return builder.command(changed);
    }
    builder.environment().merge(VARIABLE, quoted(argument), (old, added) -> old + " " + added);
    return builder;
  }

  /** As one word for the launcher, which knows quotes, and escapes within them. */
  static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
