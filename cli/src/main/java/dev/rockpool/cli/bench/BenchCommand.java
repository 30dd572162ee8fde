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
          + " Takes half an hour for each JDK; with --quick less than five minutes.",
      "",
    })
public final class BenchCommand implements Callable<Integer> {
  @Option(
      names = "--quick",
      description = {
        "One JVM for each figure, and little time in it: a first impression.",
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
      description =
          "Measure one allocation of each size from 0 to 64 bytes, too; about doubles the time.")
  private boolean sweep;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description = {
        "Only benchmarks in whose name REGEX is found, such as 'StringToStrlen' or"
            + " 'ConfinedAllocation[.](jdk|rockpool)$'.",
        "Does not touch the sweep: --sweep --filter '^$' measures nothing else."
      })
  private @Nullable String filter;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write the report there (default: bench/target/report).")
  private @Nullable Path out;

  @Option(
      names = "--jmh-args",
      paramLabel = "ARGS",
      hidden = true,
      description = "Options for JMH, separated by spaces, in place of those of --quick.")
  private @Nullable String jmhArguments;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    check(filter);
    List<Jvm> jvms = jvms();
    Path home = Installation.home();
    Path jar = Installation.existing(home.resolve("bench/target/benchmarks.jar"), "bench");
    Path folder = out != null ? out.toAbsolutePath() : home.resolve("bench/target/report");
    Bench bench = new Bench(home, jar, jvms, plans(), folder, commandLine());
    if (bench.size() == 0) {
      throw misuse("There is no benchmark in whose name --filter=" + filter + " is found");
    }
    Report report = bench.run();
    System.out.println(ReportText.text(report));
    System.out.println("Report: " + folder.resolve("index.html"));
    if (!report.failures().isEmpty()) {
      throw new CommandFailure(
          report.failures().size()
              + " of "
              + bench.size()
              + " failed; see the end of the report, and the logs in "
              + folder.resolve("raw"));
    }
    return 0;
  }

  private void check(@Nullable String regex) {
    try {
      Pattern.compile(regex == null ? "" : regex);
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
    List<Plan> plans = new ArrayList<>(List.of(Plan.benchmarks(filter, settings)));
    if (sweep) {
      plans.add(Plan.sweep(settings));
    }
    return plans;
  }

  /** What to type to do this again. */
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
