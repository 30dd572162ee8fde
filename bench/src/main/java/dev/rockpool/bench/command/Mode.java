package dev.rockpool.bench.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.TypeConversionException;

/**
 * A kind of JVM and of thread to measure in, and the benchmarks that are of interest there. Modes
 * with the same kind of thread are compared with each other.
 */
enum Mode {
  PLATFORM("", "", "", "(?<!\\.Recording)\\.\\w+$", "^(?!.*(" + Names.SLOW + "))"),

  /** The agent replaces the JDK's arenas: the same source becomes another contestant. */
  AGENT("", Figure.JDK, "agent", "bench\\.\\w+\\.(jdk|circle_by_value)$", ""),

  /** The library can't reach the carrier, and uses blocks that all threads share. */
  VIRTUAL(
      "virtual",
      "",
      "",
      Names.ON_VIRTUAL + "(jdk|rockpool|confined|pooled|circle|\\w+(Success|Fail)$)",
      Names.FEW),

  /** With java.lang open to it, the library reaches the carrier's own blocks. */
  VIRTUAL_OPENED(
      "virtual", "rockpool", "opened", Names.ON_VIRTUAL + "(rockpool$|pooled|adapted)", Names.FEW),

  VIRTUAL_AGENT(
      "virtual",
      Figure.JDK,
      "agent",
      Names.ON_VIRTUAL + "(jdk$|circle_by_value|adapted)",
      Names.FEW);

  /** Patterns, in a class of their own because an enum's constants are initialized first. */
  private static final class Names {
    static final String ON_VIRTUAL =
        "\\.(AllocateFrom\\w+|ArenaPool\\w*Bench|ByValueIntoArena|CaptureStateUtilBench"
            + "|ConfinedAllocation|ManyAllocations|PointsAlloc|StringToStrlen|ThreeAllocations"
            + "|TwoOpenArenas)\\.";

    static final String FEW = "\\.ConfinedAllocation\\.";

    static final String SLOW =
        "\\.(ownPool|threadLocalPool)$|\\.ArenaPool\\w*Bench\\."
            + "|\\.(tlAllocation|captureStateUtil|preallocated)|\\.direct\\.";
  }

  final String thread;
  private final String subject;
  private final String alias;
  private final String benchmarks;
  private final String quickBenchmarks;

  /**
   * A mode.
   *
   * @param thread the kind of thread, empty for platform threads
   * @param subject the contestant that the mode is about, empty for all
   * @param alias the name of the subject here, beside those of other modes
   * @param benchmarks a pattern found in the names of benchmarks that are measured here
   * @param quickBenchmarks likewise: those of them that are measured when there is little time
   */
  Mode(String thread, String subject, String alias, String benchmarks, String quickBenchmarks) {
    this.thread = thread;
    this.subject = subject;
    this.alias = alias;
    this.benchmarks = benchmarks;
    this.quickBenchmarks = quickBenchmarks;
  }

  /** Returns the mode of a name on the command line. */
  static Mode named(String name) {
    return Arrays.stream(values())
        .filter(mode -> mode.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be one of " + List.of(values()) + ": '" + name + "'"));
  }

  /** The name of {@code contestant} in this mode. */
  String nameOf(String contestant) {
    if (contestant.equals(subject)) {
      return alias;
    }
    return alias.isEmpty() ? contestant : alias + " + " + contestant;
  }

  /**
   * Returns JMH's options for the benchmarks that are of interest here.
   *
   * @param filter a pattern to find in their names
   * @param quick whether to measure only those of most interest if the filter is empty
   * @param settings further options, as JMH's own command line takes them
   */
  ChainedOptionsBuilder benchmarks(String filter, boolean quick, List<String> settings)
      throws CommandLineOptionException {
    return options(filter.isEmpty() && quick ? quickBenchmarks : filter, settings);
  }

  /** Returns JMH's options for one allocation of each size from 0 to 64 bytes. */
  ChainedOptionsBuilder sweep(List<String> settings) throws CommandLineOptionException {
    String[] sizes = IntStream.rangeClosed(0, 64).mapToObj(String::valueOf).toArray(String[]::new);
    return options("\\.ConfinedAllocation\\.(jdk|rockpool)$", settings).param("size", sizes);
  }

  private ChainedOptionsBuilder options(String include, List<String> settings)
      throws CommandLineOptionException {
    CommandLineOptions given = new CommandLineOptions(settings.toArray(String[]::new));
    List<String> jvm = new ArrayList<>();
    if (!thread.isEmpty()) {
      jvm.add("-Djmh.executor=VIRTUAL");
    }
    if (this == VIRTUAL_OPENED) {
      jvm.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    }
    if (subject.equals(Figure.JDK)) {
      jvm.add(Machine.agentOption());
    }
    jvm.addAll(given.getJvmArgsAppend().orElse(List.of()));
    return new OptionsBuilder()
        .parent(given)
        .include(include.isEmpty() ? "." : include)
        .exclude("^(?!.*(" + benchmarks + "))")
        .jvmArgsAppend(jvm.toArray(String[]::new))
        .addProfiler(GCProfiler.class);
  }

  /** The name on the command line, and of files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
