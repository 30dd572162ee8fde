package dev.rockpool.examples.sqlite.workload;

import static java.util.Objects.requireNonNull;

import dev.rockpool.demo.Timer;
import dev.rockpool.demo.Timer.Figures;
import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.workload.Workload.Batch;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs workloads, and prints how many rows a second they did, and what garbage a row was. */
@Command(
    name = "java -jar rockpool-example-sqlite.jar",
    description = {
      "Uses SQLite through java.lang.foreign, and measures it.",
      "",
    },
    sortOptions = false)
public final class Main implements Callable<Integer> {
  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      description = "One of ${COMPLETION-CANDIDATES}. Without, all of them, one after the other.")
  private List<Workload> workloads = Arrays.asList(Workload.values());

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How long to measure each, and before that to warm up, longer until all is compiled;"
              + " otherwise 2.")
  private double seconds;

  @Option(names = "--csv", description = "Print figures for programs: values between commas.")
  private boolean csv;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this, and do nothing.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  /** Runs the command line, and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() {
    CommandLine commandLine = requireNonNull(spec).commandLine();
    if (!(seconds > 0)) {
      throw new ParameterException(commandLine, "--seconds must be more than 0: it is " + seconds);
    }
    try {
      measure();
      return 0;
    } catch (UnsatisfiedLinkError e) {
      commandLine.getErr().println(e.getMessage());
      return 1;
    }
  }

  private void measure() {
    String version = Database.sqliteVersion(); // fails where there is no SQLite
    System.out.print(csv ? "" : "SQLite " + version + "\n\n");
    System.out.println(
        csv
            ? Timer.HEADER
            : "%-8s %15s %15s %15s %15s   %s"
                .formatted(
                    "workload", "rows a second", "ns a row", "fastest", "garbage a row", "a row"));
    Timer timer = new Timer(seconds * 1e9, 1, 10);
    for (Workload workload : workloads) {
      try (Batch batch = workload.prepare()) {
        Figures figures = timer.measure(batch);
        System.out.println(
            csv
                ? figures.csv(workload, String.valueOf(batch.first))
                : row(workload, figures) + "\n");
      }
    }
  }

  private static String row(Workload workload, Figures figures) {
    return String.format(
        Locale.ROOT,
        "%-8s %,15.0f %,15.1f %,15.1f %,13.1f B   %s%s",
        workload,
        1e9 / figures.nanos(),
        figures.nanos(),
        figures.fastestNanos(),
        figures.garbageBytes(),
        workload.description,
        figures.compiled() ? "" : " (not compiled yet when measured)");
  }
}
