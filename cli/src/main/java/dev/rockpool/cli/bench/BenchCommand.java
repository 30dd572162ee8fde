package dev.rockpool.cli.bench;

import dev.rockpool.cli.bench.Jmh.Plan;
import dev.rockpool.cli.bench.ProgramRuns.Program;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./rockpool bench}. */
@Command(
    name = "bench",
    abbreviateSynopsis = true,
    header = "Measure arenas: the JDK's, Rockpool's and rivals', side by side.",
    description = {
      "",
      "Runs the JMH benchmarks and writes a report: a page with plots (index.html), tables"
          + " (table.txt, table.md), all figures (results.json), and what JMH itself wrote (raw/)."
          + " Takes an hour for each JDK; with --quick less than five minutes.",
      "",
    })
public final class BenchCommand implements Callable<Integer> {
  /** Short enough that what is quick takes less than five minutes; by default, forks are three. */
  private static final List<String> QUICK_SETTINGS =
      List.of("-f", "1", "-wi", "4", "-w", "200ms", "-i", "5", "-r", "80ms");

  private static final String SOAK = "bench/src/test/java/dev/rockpool/bench/soak/Soak.java";

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
      description = {
        "Measure on the JDK in folder HOME, too.",
        "Can be given several times; adds the same time again for each."
      })
  private List<Path> jdks = new ArrayList<>();

  @Option(
      names = "--sweep",
      description =
          "Measure one allocation of each size from 0 to 64 bytes, too; about doubles the time.")
  private boolean sweep;

  @Option(names = "--sweep-virtual", description = "The same on virtual threads.")
  private boolean sweepVirtual;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description = {
        "Only benchmarks in whose name REGEX is found, such as 'StringToStrlen' or"
            + " 'ConfinedAllocation[.](jdk|rockpool)$'.",
        "Like --mode, does not touch the sweeps: --sweep --filter '^$' measures nothing else."
      })
  private @Nullable String filter;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      split = ",",
      description =
          "Only in these kinds of JVM and of thread: ${COMPLETION-CANDIDATES}. All of them by"
              + " default.")
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
      description =
          "Measure nothing: for MINUTES use arenas in all ways at once, check each byte of them,"
              + " and print the memory in use.")
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
    BenchReport report = Jmh.measure(jar(), jvms, plans(), folder(), commandLine());
    Misuse.unless(
        !report.results().isEmpty(),
        "There is no benchmark in whose name --filter=" + filter + " is found");
    report.write(folder());
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

  /** Refuses options besides those {@code allowed}. */
  private void allow(String rule, String... allowed) {
    List<String> others =
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(name -> !List.of(allowed).contains(name))
            .toList();
    Misuse.unless(others.isEmpty(), rule + ": " + String.join(", ", others));
  }

  private void programs(Pattern wanted) {
    allow(
        "--start, --load and --forecast measure whole programs, so of the other options only"
            + " --quick, --filter, --jdk and --out go with them",
        "--start",
        "--load",
        "--forecast",
        "--quick",
        "--filter",
        "--jdk",
        "--out");
    if (start) {
      runs(7).run(matching(Program.ofStart(), wanted), "start", folder());
    }
    if (load) {
      runs(7).run(matching(Program.ofLoad(), wanted), "load", folder());
    }
    if (forecast) {
      runs(4).forecast(matching(Program.ofForecast(), wanted), folder());
    }
  }

  private ProgramRuns runs(int rounds) {
    return new ProgramRuns(jvms(), jar(), quick ? 2 : rounds);
  }

  private List<Program> matching(List<Program> all, Pattern wanted) {
    List<Program> found = all.stream().filter(each -> wanted.matcher(each.label()).find()).toList();
    Misuse.unless(
        !found.isEmpty(), "There is no program in whose name --filter=" + filter + " is found");
    return found;
  }

  /** Runs the soak from its source, in view, to its end or to the first failure. */
  private int soak(String minutes) {
    boolean isNumber = minutes.matches("[0-9]{1,6}([.][0-9]{1,6})?");
    double number = isNumber ? Double.parseDouble(minutes) : 0;
    Misuse.unless(
        number >= 0.01 && number <= 100_000,
        "--soak must be a number of minutes from 0.01 to 100000: --soak=" + minutes);
    allow(
        "--soak measures nothing, so of the other options only --jdk goes with it",
        "--soak",
        "--jdk");
    List<List<String>> forms =
        List.of(List.of(), List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    for (Jvm jvm : jvms()) {
      for (List<String> form : forms) {
        List<String> command = new ArrayList<>(List.of(jvm.java().toString()));
        command.addAll(form);
        // The heap is there from the start, so that whatever else grows shows in the resident set.
        // Carriers are more than processors, mostly: then they get in each other's way, too.
        command.addAll(
            List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xms256m",
                "-Xmx256m",
                "-XX:+AlwaysPreTouch",
                "-Djdk.virtualThreadScheduler.parallelism=8",
                "-Djdk.virtualThreadScheduler.maxPoolSize=8",
                "-cp",
                jar().toString(),
                Installation.home().resolve(SOAK).toString()));
        command.add(String.format(Locale.ROOT, "%.1f", number * 60 / forms.size()));
        int exitCode = ChildProcess.runInView(new ProcessBuilder(command));
        if (exitCode != 0) {
          return exitCode;
        }
        System.out.println();
      }
    }
    return 0;
  }

  private Pattern filterPattern() {
    try {
      return Pattern.compile(filter == null ? "" : filter);
    } catch (PatternSyntaxException e) {
      throw new Misuse("--filter must be a regular expression: " + e.getMessage());
    }
  }

  private List<Jvm> jvms() {
    Stream<Path> own = Stream.of(Path.of(System.getProperty("java.home")));
    try {
      return Jvm.distinct(Stream.concat(own, jdks.stream()).map(Jvm::at).toList());
    } catch (IllegalArgumentException e) {
      throw new Misuse(String.valueOf(e.getMessage()));
    }
  }

  private List<Plan> plans() {
    List<String> settings = new ArrayList<>(List.of("-prof", "gc"));
    if (jmhArguments != null) {
      settings.addAll(List.of(jmhArguments.strip().split("\\s+")));
    } else if (quick) {
      settings.addAll(QUICK_SETTINGS);
    }
    List<Mode> sweeps = new ArrayList<>();
    sweeps.addAll(sweep ? List.of(Mode.PLATFORM, Mode.AGENT) : List.of());
    sweeps.addAll(
        sweepVirtual ? List.of(Mode.VIRTUAL, Mode.VIRTUAL_OPENED, Mode.VIRTUAL_AGENT) : List.of());
    List<Plan> plans = new ArrayList<>();
    modes.forEach(mode -> plans.add(new Plan(mode, false, mode.arguments(filter, quick))));
    sweeps.forEach(mode -> plans.add(new Plan(mode, true, mode.sweep())));
    plans.forEach(plan -> plan.arguments().addAll(settings));
    return plans;
  }

  /** The command line that repeats this run. */
  private String commandLine() {
    return Objects.requireNonNull(spec)
        .root()
        .commandLine()
        .getParseResult()
        .originalArgs()
        .stream()
        .map(
            word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" ", "./rockpool ", ""));
  }
}
