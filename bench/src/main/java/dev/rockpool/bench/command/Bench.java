package dev.rockpool.bench.command;

import dev.rockpool.bench.command.Programs.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ./rockpool bench}. */
@Command(
    name = "rockpool bench",
    mixinStandardHelpOptions = true,
    customSynopsis = "rockpool bench [OPTIONS] [-- JMH_OPTION...]",
    description = {
      "",
      "Runs the JMH benchmarks: the JDK's arenas, Rockpool's and rivals', side by side. Writes a"
          + " table (table.txt), and what JMH itself wrote (raw/). Takes an hour; with --quick less"
          + " than five minutes. Options after -- are JMH's, such as -- -f 1 -wi 3, in place of the"
          + " settings of each benchmark.",
      "",
    })
public final class Bench implements Callable<Integer> {
  /** With these, all benchmarks that --quick selects take less than five minutes. */
  private static final List<String> QUICK_SETTINGS =
      List.of("-f", "1", "-wi", "4", "-w", "200ms", "-i", "5", "-r", "80ms");

  @Option(
      names = "--quick",
      description = {
        "A first impression, not figures to quote: one JVM for each, and little time in it.",
        "Without --filter, only what is of most interest."
      })
  private boolean quick;

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "Measure on the JDK in folder HOME (default: the one that runs this command).")
  private Path jdk = Path.of(System.getProperty("java.home"));

  @Option(
      names = "--sweep",
      description = {
        "Measure one allocation of each size from 0 to 64 bytes instead, and draw it (sweep.svg).",
        "Without --mode, in modes platform and agent."
      })
  private boolean sweep;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description =
          "Only benchmarks, or programs, in whose name REGEX is found, such as 'StringToStrlen' or"
              + " 'ConfinedAllocation[.](jdk|rockpool)$'.")
  private Pattern filter = Pattern.compile("");

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      split = ",",
      description =
          "Only in these kinds of JVM and of thread: ${COMPLETION-CANDIDATES}. All of them by"
              + " default.")
  private List<Mode> modes = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write the results there (default: bench/target/report).")
  private Path out = Machine.home().resolve("bench/target/report");

  @Option(
      names = "--start",
      description = {
        "Measure whole programs instead, from start to end, with none to ten million native calls:"
            + " plain, with an empty agent, with Rockpool. Writes start.txt and start.svg.",
        "Takes 3 minutes; with --quick one."
      })
  private boolean start;

  @Option(
      names = "--load",
      description = {
        "The same for small servers, on platform and virtual threads. Writes load.txt.",
        "Takes 7 minutes; with --quick two."
      })
  private boolean load;

  @Parameters(hidden = true)
  private List<String> jmhOptions = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets it

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Bench());
    commandLine.registerConverter(Mode.class, Mode::named);
    commandLine.getCommandSpec().version("rockpool " + Machine.rockpool());
    commandLine.setParameterExceptionHandler(
        (failure, _) -> {
          failure.getCommandLine().getErr().println("rockpool: " + failure.getMessage());
          failure.getCommandLine().getErr().println("Try './rockpool bench --help'.");
          return 2;
        });
    commandLine.setExecutionExceptionHandler(
        (failure, command, _) -> {
          if (failure instanceof IllegalStateException || failure instanceof IOException) {
            command.getErr().println("rockpool: " + failure.getMessage());
            return 1;
          }
          throw failure;
        });
    return commandLine;
  }

  @Override
  public Integer call() throws IOException {
    require(
        Files.isRegularFile(jdk.resolve("release")),
        "--jdk must be the folder of a JDK: there is no " + jdk.resolve("release"));
    require(!sweep || filter.pattern().isEmpty(), "--sweep says what to measure: without --filter");
    if (!start && !load) {
      benchmarks();
      return 0;
    }
    require(
        !sweep && modes.isEmpty() && jmhOptions.isEmpty(),
        "--start and --load measure programs: --sweep, --mode and options of JMH don't go with"
            + " them");
    Programs programs = new Programs(jdk, quick ? 2 : 7, Files.createDirectories(out));
    if (start) {
      programs.run("start", matching(Program.ofStart()));
    }
    if (load) {
      programs.run("load", matching(Program.ofLoad()));
    }
    return 0;
  }

  private void benchmarks() throws IOException {
    List<String> settings = quick && jmhOptions.isEmpty() ? QUICK_SETTINGS : jmhOptions;
    if (modes.isEmpty()) {
      modes = sweep ? List.of(Mode.PLATFORM, Mode.AGENT) : List.of(Mode.values());
    }
    Path raw = Files.createDirectories(out.resolve("raw"));
    Benchmarks benchmarks = new Benchmarks(jdk, raw);
    for (Mode mode : modes) {
      try {
        benchmarks.run(
            mode,
            sweep ? mode.sweep(settings) : mode.benchmarks(filter.pattern(), quick, settings));
      } catch (CommandLineOptionException e) {
        throw new ParameterException(spec.commandLine(), "Option of JMH: " + e.getMessage(), e);
      }
    }
    int failed = benchmarks.failures().size();
    require(
        failed > 0 || !benchmarks.figures().isEmpty(),
        "There is no benchmark in whose name --filter=" + filter + " is found");
    Report report = new Report(Machine.describe(jdk), benchmarks.figures(), benchmarks.failures());
    Files.writeString(out.resolve("table.txt"), report.text());
    if (sweep) {
      report.drawSweep(out);
    }
    System.out.println(report.text());
    if (failed > 0) {
      throw new IllegalStateException(
          "Failed benchmarks: " + failed + ", see the end of the table, and the logs in " + raw);
    }
  }

  private List<Program> matching(List<Program> all) {
    List<Program> found = all.stream().filter(each -> filter.matcher(each.label()).find()).toList();
    require(!found.isEmpty(), "There is no program in whose name --filter=" + filter + " is found");
    return found;
  }

  private void require(boolean condition, String rule) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }
}
