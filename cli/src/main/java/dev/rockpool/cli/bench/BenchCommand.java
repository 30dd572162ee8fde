package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./rockpool bench}. */
@Command(
    name = "bench",
    header = "Measure arenas: the JDK's, Rockpool's and rivals', side by side.",
    description = {
      "",
      "Runs the JMH benchmarks and writes a report: a page with plots (index.html), tables"
          + " (table.txt, table.md), all figures (results.json), and what JMH itself wrote (raw/)."
          + " Takes an hour for each JDK; with --quick less than five minutes.",
      "",
    })
public final class BenchCommand implements Callable<Integer> {
  /** Runs of each whole program. */
  private static final int ROUNDS = 7;

  private static final int QUICK_ROUNDS = 2;
  private static final int FORECAST_ROUNDS = 4;

  private static final List<String> OF_PROGRAMS =
      List.of("--start", "--load", "--forecast", "--quick", "--filter", "--jdk", "--out");

  @Option(
      names = "--quick",
      description = {
        "One JVM for each figure, and little time in it: a first impression.",
        "Without --filter, only what is of most interest.",
        "For figures to quote, leave it out."
      })
  private boolean quick;

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = {
        "Measure on the JDK in folder HOME, too.",
        "Can be given several times; adds the same time again for each."
      })
  private List<Path> jdks = new ArrayList<>();

  @Option(
      names = "--sweep",
      description = {
        "Measure one allocation of each size from 0 to 64 bytes, too; about doubles the time.",
        "The report has a picture of it, sweep.svg."
      })
  private boolean sweep;

  @Option(
      names = "--sweep-virtual",
      description = "The same on virtual threads; the picture is sweep-virtual.svg.")
  private boolean sweepVirtual;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description = {
        "Only benchmarks in whose name REGEX is found, such as 'StringToStrlen' or"
            + " 'ConfinedAllocation[.](jdk|rockpool)$'.",
        "Does not touch the sweeps: --sweep --filter '^$' measures nothing else."
      })
  private @Nullable String filter;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      split = ",",
      description = {
        "Only in these kinds of JVM and of thread: ${COMPLETION-CANDIDATES}. All of them by"
            + " default.",
        "Does not touch the sweeps."
      })
  private List<Mode> modes = List.of(Mode.values());

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write the report there (default: bench/target/report).")
  private @Nullable Path out;

  @Option(
      names = "--start",
      description = {
        "Measure whole programs instead, from start to end, with none to ten million native calls:"
            + " plain, with an empty agent, with Rockpool.",
        "Takes 3 minutes; with --quick one."
      })
  private boolean start;

  @Option(
      names = "--load",
      description = {
        "The same for servers in small, on platform and virtual threads.",
        "Takes 7 minutes; with --quick two."
      })
  private boolean load;

  @Option(
      names = "--forecast",
      description = {
        "Compare the forecast of 'report' for whole programs with what the agent then saves.",
        "Takes 8 minutes; with --quick four."
      })
  private boolean forecast;

  @Option(
      names = "--soak",
      paramLabel = "MINUTES",
      description = {
        "Measure nothing: for MINUTES use arenas in all ways at once, check each byte of them, and"
            + " print the memory in use.",
        "Half of the time with public API only, half of it with the carriers of virtual threads in"
            + " reach."
      })
  private @Nullable String soakMinutes;

  @Option(
      names = "--jmh-args",
      paramLabel = "ARGS",
      hidden = true,
      description = "Options for JMH, separated by spaces, in place of those of --quick.")
  private @Nullable String jmhArguments;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (soakMinutes != null) {
      return soak(soakMinutes);
    }
    Pattern wanted = filterPattern();
    if (start || load || forecast) {
      programs(wanted);
      return 0;
    }
    List<Jvm> jvms = jvms();
    Bench bench = new Bench(jar(), jvms, plans(), folder(), commandLine());
    Report report = bench.run();
    if (report.results().isEmpty()) {
      throw misuse("There is no benchmark in whose name --filter=" + filter + " is found");
    }
    bench.write(report);
    System.out.println(report.text());
    System.out.println("Report: " + folder().resolve("index.html"));
    int failed = report.failures().size();
    if (failed > 0) {
      throw new CommandFailure(
          "%s of %s failed; see the end of the report, and the logs in %s"
              .formatted(failed, failed + report.results().size(), folder().resolve("raw")));
    }
    return 0;
  }

  private static Path jar() {
    Path jar = Installation.home().resolve("bench/target/benchmarks.jar");
    return Installation.existing(jar, "bench");
  }

  private Path folder() {
    return out != null ? out.toAbsolutePath() : Installation.home().resolve("bench/target/report");
  }

  private void programs(Pattern wanted) {
    List<String> others = options().stream().filter(name -> !OF_PROGRAMS.contains(name)).toList();
    if (!others.isEmpty()) {
      throw misuse(
          "--start, --load and --forecast measure whole programs, so of the other options only"
              + " --quick, --filter, --jdk and --out go with them: "
              + String.join(", ", others));
    }
    ProgramRuns runs = new ProgramRuns(jvms(), jar(), quick ? QUICK_ROUNDS : ROUNDS);
    if (start) {
      runs.run(matching(Program.ofStart(), wanted), "start", folder());
    }
    if (load) {
      runs.run(matching(Program.ofLoad(), wanted), "load", folder());
    }
    if (forecast) {
      new ForecastRuns(jar(), quick ? QUICK_ROUNDS : FORECAST_ROUNDS)
          .run(matching(Program.ofForecast(), wanted), jvms(), folder());
    }
  }

  private List<Program> matching(List<Program> all, Pattern wanted) {
    List<Program> found = all.stream().filter(each -> wanted.matcher(each.label()).find()).toList();
    if (found.isEmpty()) {
      throw misuse("There is no program in whose name --filter=" + filter + " is found");
    }
    return found;
  }

  private int soak(String minutes) {
    SoakRun soak;
    try {
      soak = SoakRun.of(minutes, options());
    } catch (IllegalArgumentException e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
    return soak.run(jvms(), jar());
  }

  /** The names of the options given. */
  private List<String> options() {
    return spec == null
        ? List.of()
        : spec.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .toList();
  }

  private Pattern filterPattern() {
    try {
      return Pattern.compile(filter == null ? "" : filter);
    } catch (PatternSyntaxException e) {
      throw misuse("--filter must be a regular expression: " + e.getMessage());
    }
  }

  private List<Jvm> jvms() {
    List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
    homes.addAll(jdks);
    try {
      return Jvm.distinct(homes.stream().map(Jvm::at).toList());
    } catch (IllegalArgumentException e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }

  private List<Plan> plans() {
    List<String> settings = new ArrayList<>(List.of("-prof", "gc"));
    if (jmhArguments != null) {
      settings.addAll(List.of(jmhArguments.strip().split("\\s+")));
    } else if (quick) {
      settings.addAll(Plan.QUICK);
    }
    List<Plan> plans = new ArrayList<>(Plan.benchmarks(modes, filter, quick, settings));
    if (sweep) {
      plans.addAll(Plan.sweep(List.of(Mode.PLATFORM, Mode.AGENT), settings));
    }
    if (sweepVirtual) {
      plans.addAll(
          Plan.sweep(List.of(Mode.VIRTUAL, Mode.VIRTUAL_OPENED, Mode.VIRTUAL_AGENT), settings));
    }
    return plans;
  }

  /** The command line that repeats this run. */
  private String commandLine() {
    if (spec == null) {
      return "./rockpool bench";
    }
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(BenchCommand::quoted)
        .collect(Collectors.joining(" ", "./rockpool ", ""));
  }

  private static String quoted(String argument) {
    return argument.matches("[\\w@%+=:,./-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  private RuntimeException misuse(String rule) {
    return spec == null
        ? new IllegalArgumentException(rule)
        : new ParameterException(spec.commandLine(), rule);
  }
}
