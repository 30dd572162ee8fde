package dev.rockpool.cli.compare;

import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.OutputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool example}. */
@Command(
    name = "example",
    header = "Run a program of examples/ without and with the agent.",
    description = {
      "",
      "Runs each workload of the program in JVMs of its own, by turns without and with the agent."
          + " Both must give the same results. Takes some five minutes for sqlite.",
      "",
      "The table is also left in examples/NAME/target/comparison, as Markdown.",
      "",
    })
public final class ExampleCommand implements Runnable {
  /** Programs that have an agreed command line; their constants are names of folders. */
  private enum Example {
    SQLITE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "Which one: ${COMPLETION-CANDIDATES}.")
  private Example name = Example.SQLITE;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "WORKLOAD",
      description = "Only these workloads.")
  private List<String> workloads = new ArrayList<>();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to FILE, as JSON, too.")
  private @Nullable Path json;

  @Option(names = "--quick", description = "Take two minutes or so; the figures mean little.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often to run each workload without and with the agent (default: 5).")
  private @Nullable Integer rounds;

  @Override
  public void run() {
    OutputFile file = OutputFile.checked(json, "JSON");
    int count = rounds != null ? rounds : quick ? 1 : 5;
    Misuse.unless(count >= 1, "--rounds must be at least 1: it is " + count);
    ComparisonTable table = Workloads.ofExample(name.toString(), workloads, quick ? 0.2 : 2, count);
    table.print();
    file.writeJson(table.json());
  }
}
