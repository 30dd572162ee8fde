package dev.rockpool.cli.compare;

import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.OutputFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool demo}. */
@Command(
    name = "demo",
    customSynopsis = {
      "rockpool demo [--quick] [--forecast] [--json=FILE]",
      "       rockpool demo [--runs=N] [--json=FILE] -- COMMAND...",
    },
    header = "Show what the agent saves: in calls of C functions, or in your own program.",
    description = {
      "",
      "Without COMMAND: a small program calls six C functions as bindings do. Each runs in JVMs of"
          + " its own, with their default settings, in turn without and with the agent. Both must"
          + " give the same results. Takes one to two minutes.",
      "",
      "With COMMAND, for example 'demo -- java -jar app.jar': times your program from start to"
          + " end, in turn without and with the agent, after a first run of each that does not"
          + " count. It must end by itself with exit code 0, reads no standard input, and must run"
          + " on Java 25 or newer. The agent is added right after 'java'; otherwise by the"
          + " environment variable JDK_JAVA_OPTIONS, for any 'java' that COMMAND starts.",
      "",
    })
public final class DemoCommand implements Runnable {
  private static final int DEFAULT_RUNS = 5;
  private static final int ROUNDS_OF_CALLS = 3;

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
      names = "--forecast",
      description =
          "Record each call, too, and show the forecast of 'report' beside what was saved; takes"
              + " two minutes more. Not with COMMAND.")
  private boolean forecast;

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

  @Override
  public void run() {
    int count = runs == null ? DEFAULT_RUNS : runs;
    if (command == null) {
      Misuse.unless(runs == null, "--runs goes with a COMMAND: say what to run after '--'");
    } else {
      Misuse.unless(!quick, "--quick is for the demo without COMMAND: for fewer runs, use --runs");
      Misuse.unless(
          !forecast,
          "--forecast is for the demo without COMMAND: run './rockpool record -- COMMAND', then"
              + " './rockpool report' on its file");
      Misuse.unless(count >= 1, "--runs must be at least 1: it is " + count);
    }
    OutputFile file = OutputFile.checked(json, "JSON");
    ComparisonTable table =
        command == null
            ? Workloads.ofCalls(quick, forecast, quick ? 1 : ROUNDS_OF_CALLS)
            : CommandRuns.compare(command, count);
    System.out.print(table.text());
    file.writeJson(table.json());
  }
}
