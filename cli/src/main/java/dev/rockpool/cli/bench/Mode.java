package dev.rockpool.cli.bench;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of JVM or of thread to measure in, and the benchmarks that are of interest there. Those
 * with the same conditions are compared with each other, and with the JDK's arena in the first.
 */
enum Mode {
  PLATFORM("", "", "", "", "^(?!.*\\.Recording\\.)", "^(?!.*(" + Names.SLOW + "))"),

  /** The agent takes over the JDK's arenas: the same source becomes another contestant. */
  AGENT("", Result.JDK, "agent", Names.AGENT, "bench\\.\\w+\\.(jdk|circle_by_value)$", "."),

  /** Rockpool can't reach the carrier: public API only, and shared stripes. */
  VIRTUAL(
      "virtual",
      "",
      "",
      Names.VIRTUAL,
      Names.ON_VIRTUAL + "\\.(jdk|rockpool|confined|pooled|circle|\\w+(Success|Fail)$)",
      Names.FEW),

  /** With java.lang open to it, the library reaches the carrier's own blocks. */
  VIRTUAL_OPENED(
      "virtual",
      "rockpool",
      "opened",
      Names.VIRTUAL + " --add-opens=java.base/java.lang=ALL-UNNAMED",
      Names.ON_VIRTUAL + "\\.(rockpool$|pooled|adapted)",
      Names.FEW),

  VIRTUAL_AGENT(
      "virtual",
      Result.JDK,
      "agent",
      Names.VIRTUAL + " " + Names.AGENT,
      Names.ON_VIRTUAL + "\\.(jdk$|circle_by_value|adapted)",
      Names.FEW),

  INTERPRETED("interpreted", "", "", "-Xint", Names.SMALL, Names.NONE),

  C1("C1", "", "", "-XX:TieredStopAtLevel=1", Names.SMALL, Names.NONE);

  /** A class, because an enum's own constants come later. */
  private static final class Names {
    /** Found from the project's folder. */
    static final String AGENT = "-javaagent:agent/target/rockpool-agent.jar";

    static final String VIRTUAL = "-Djmh.executor=VIRTUAL";

    static final String ON_VIRTUAL =
        "\\.(AllocateFrom\\w+|ArenaPool\\w*Bench|ByValueIntoArena|CaptureStateUtilBench"
            + "|ConfinedAllocation|ManyAllocations|PointsAlloc|StringToStrlen|ThreeAllocations"
            + "|TwoOpenArenas)";

    static final String SMALL = "\\.ConfinedAllocation\\.(jdk|rockpool)$";

    static final String FEW = "\\.ConfinedAllocation\\.";
    static final String NONE = "^$";

    static final String SLOW =
        "\\.(ownPool|threadLocalPool)$|\\.ArenaPool\\w*Bench\\."
            + "|\\.(tlAllocation|captureStateUtil|preallocated)|\\.direct\\.";
  }

  final String conditions;
  private final String subject;
  private final String contestant;
  private final String jvmArguments;
  private final String interesting;
  private final String mostInteresting;

  /**
   * A mode.
   *
   * @param conditions the kind of JVM and of thread, empty for the usual ones
   * @param subject the contestant that the mode is about
   * @param contestant the name that the subject has here, beside those of other modes
   * @param jvmArguments options of the JVM, separated by spaces
   * @param interesting a pattern to find in names of benchmarks: these are measured
   * @param mostInteresting likewise: of these, those that are measured when there is little time
   */
  Mode(
      String conditions,
      String subject,
      String contestant,
      String jvmArguments,
      String interesting,
      String mostInteresting) {
    this.conditions = conditions;
    this.subject = subject;
    this.contestant = contestant;
    this.jvmArguments = jvmArguments;
    this.interesting = interesting;
    this.mostInteresting = mostInteresting;
  }

  /** The name of {@code other} in this mode. */
  String contestant(String other) {
    return other.equals(subject)
        ? contestant
        : contestant.isEmpty() ? other : contestant + " + " + other;
  }

  /**
   * Options of JMH for the benchmarks that are of interest here.
   *
   * @param filter a pattern to find in their names, or null for all; when {@code quick}, for those
   *     of most interest
   */
  List<String> arguments(@Nullable String filter, boolean quick) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(filter == null ? ".*" : filter, "-e", notIn(interesting)));
    if (quick && filter == null) {
      arguments.addAll(List.of("-e", notIn(mostInteresting)));
    }
    if (!jvmArguments.isEmpty()) {
      arguments.addAll(List.of("-jvmArgsAppend", jvmArguments));
    }
    return arguments;
  }

  private static String notIn(String pattern) {
    return "^(?!.*(%s))".formatted(pattern);
  }

  /** Options of JMH for one allocation of each size from 0 to 64. */
  List<String> sweep() {
    List<String> arguments = arguments("\\.ConfinedAllocation\\.(jdk|rockpool)$", false);
    arguments.add("-p");
    arguments.add(
        IntStream.rangeClosed(0, 64).mapToObj(String::valueOf).collect(joining(",", "size=", "")));
    return arguments;
  }

  /** The name on the command line, and in the names of files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
