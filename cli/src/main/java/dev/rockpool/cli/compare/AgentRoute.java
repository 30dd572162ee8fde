package dev.rockpool.cli.compare;

import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** Runs a program that measures itself, without the agent or with one that is at work. */
  Run measure(String name, Side side, Path folder) {
    ProcessBuilder builder = side == Side.WITH ? with("verbose") : without();
    ChildProcess process = run(builder, name, side, folder);
    boolean isAtWork = Notes.in(process.errLines()).callSites() > 0;
    requireAgent(isAtWork == (side == Side.WITH), side, process);
    return Run.parse(process.outLines());
  }

  /** Runs one of our programs, which must work, and must not get an agent by the environment. */
  static ChildProcess run(ProcessBuilder builder, String name, Object side, Path folder) {
    ChildProcess process =
        ChildProcess.run(builder, folder, name, LIMIT).requireSuccess(name, side);
    requireAgent(
        process.errLines().stream()
            .noneMatch(line -> line.contains("Picked up") && line.contains("rockpool-agent")),
        side,
        process);
    return process;
  }

  /** An agent that is not at work, or is on both sides, would make the comparison a lie. */
  private static void requireAgent(boolean isOnItsSide, Object side, ChildProcess process) {
    if (!isOnItsSide) {
      throw new CommandFailure(
          "The agent must be at work on its side alone: it was not so in a run %s; does an"
                  .formatted(side)
              + " environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS) load the agent or"
              + " switch it off?\n"
              + process.errForMessage());
    }
  }

  /**
   * The words of a verbose agent on standard error.
   *
   * @param present whether it wrote anything, so was there
   * @param tooOld the version of a JVM that is too old for it; empty if there was none
   * @param classes how many classes it rewrote
   * @param callSites how many calls of {@code Arena.ofConfined()} in them
   */
  record Notes(boolean present, String tooOld, int classes, int callSites) {
    private static final Pattern TOO_OLD =
        Pattern.compile("\\[rockpool] needs Java .* or newer, this is (.*); .*");

    private static final Pattern REWRITTEN =
        Pattern.compile(
            "\\[rockpool] .*: (\\d+) call sites? of Arena\\.ofConfined\\(\\) rewritten");

    static Notes in(List<String> lines) {
      List<String> rewritten = found(REWRITTEN, lines);
      return new Notes(
          lines.stream().anyMatch(line -> line.startsWith("[rockpool] agent ")),
          found(TOO_OLD, lines).stream().findFirst().orElse(""),
          rewritten.size(),
          rewritten.stream().mapToInt(Integer::parseInt).sum());
    }

    private static List<String> found(Pattern pattern, List<String> lines) {
      return lines.stream()
          .map(pattern::matcher)
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .toList();
    }

    /** The meaning for the comparison, in a sentence. */
    @Override
    public String toString() {
      if (!present) {
        return "The agent wrote nothing to standard error: perhaps it was not there at all.";
      }
      return callSites == 0
          ? "The agent found no call of Arena.ofConfined() in the classes that were loaded: no gain"
              + " to expect."
          : "Calls of Arena.ofConfined() that the agent rewrote: %s, in %s %s."
              .formatted(callSites, classes, classes == 1 ? "class" : "classes");
    }
  }
}
