package dev.rockpool.cli.demo;

import dev.rockpool.cli.support.JsonFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./rockpool demo}. */
@Command(
    name = "demo",
    customSynopsis = {
      "rockpool demo [--quick] [--json=FILE]",
      "       rockpool demo [--runs=N] [--json=FILE] -- COMMAND...",
    },
    header = "Show what the agent saves: in calls of C functions, or in your own program.",
    description = {
      "",
      "Without COMMAND: a small program calls six C functions as bindings do. Each runs in JVMs of"
          + " its own, with their default settings, in turn without and with the agent. Both must"
          + " give the same results. Takes about a minute. A footnote marks calls that were not"
          + " compiled yet when they were measured.",
      "",
      "With COMMAND, for example 'demo -- java -jar app.jar': times your program from start to"
          + " end, in turn without and with the agent, after a first run of each that does not"
          + " count. It must end by itself with exit code 0, reads nothing from standard input, and"
          + " must run on Java 25 or newer. The agent is added right after 'java'; if COMMAND does"
          + " not begin with java, through the environment variable JDK_JAVA_OPTIONS, which any"
          + " 'java' that COMMAND starts takes up.",
      "",
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int DEFAULT_RUNS = 5;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to FILE, as JSON, too.")
  private @Nullable Path json;

  @Option(
      names = "--quick",
      description = "Take some ten seconds only; the figures mean little. Not with COMMAND.")
  private boolean quick;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "How often to run COMMAND without and with the agent (default: 5).")
  private @Nullable Integer runs;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command line of a Java program.")
  private @Nullable List<String> command;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    @Nullable JsonFile file = json == null ? null : new JsonFile(json);
    int count = runs == null ? DEFAULT_RUNS : runs;
    if (command == null) {
      accept(runs == null, "--runs goes with a COMMAND: say what to run after '--'");
    } else {
      accept(!quick, "--quick is for the demo without COMMAND: for fewer runs, use --runs");
      accept(count >= 1, "--runs must be at least 1: it is " + count);
    }
    if (file != null) {
      file.check();
    }
    Report report = command == null ? CallsDemo.run(quick) : CommandDemo.run(command, count);
    report.hand(file);
    return 0;
  }

  private void accept(boolean sensible, String rule) {
    if (!sensible && spec != null) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }
}
