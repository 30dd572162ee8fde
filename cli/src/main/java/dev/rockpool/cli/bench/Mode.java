package dev.rockpool.cli.bench;

import java.util.List;
import java.util.Locale;

/**
 * A kind of JVM or of thread to measure in, and the benchmarks that are of interest there. Those
 * with the same conditions are compared with each other, and with the JDK's arena in the first.
 */
enum Mode {
  PLATFORM("", "", "", "", "^(?!.*\\.Recording\\.)", "^(?!.*(" + Names.SLOW + "))"),

  /** The agent takes over the JDK's arenas: the same source becomes another contestant. */
  AGENT(
      "",
      Result.JDK,
      "agent",
      Names.AGENT,
      "bench\\.(?!ContendedSlots)\\w+\\.(jdk|circle_by_value)$",
      "."),

  /** Rockpool can't reach the carrier: public API only, and shared slots. */
  VIRTUAL(
      "virtual",
      "",
      "",
      Names.VIRTUAL,
      Names.ON_VIRTUAL + "\\.(jdk|rockpool|confined|pooled|circle|\\w+(Success|Fail)$)",
      Names.FEW),

  /** With java.lang open to it, the library reaches the carrier's own slabs. */
  VIRTUAL_OPENED(
      "virtual",
      Result.ROCKPOOL,
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

  /** Parts of what a mode is made of; a class, because an enum's own constants come later. */
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

  private final String conditions;
  private final String subject;
  private final String contestant;
  private final String jvmArguments;
  private final String interesting;
  private final String mostInteresting;

  /**
   * A mode.
   *
   * @param conditions in what kind of JVM and on what kind of thread, empty for the usual ones
   * @param subject the contestant that the mode is about
   * @param contestant the name that it has here, beside those of other modes
   * @param jvmArguments options of the JVM, separated by spaces
   * @param interesting a pattern to find in names of benchmarks: these are measured
   * @param mostInteresting likewise, of these those that are when there is little time
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

  String conditions() {
    return conditions;
  }

  /** The name of {@code other} in this mode. */
  String contestant(String other) {
    return other.equals(subject)
        ? contestant
        : contestant.isEmpty() ? other : contestant + " + " + other;
  }

  /** Options of JMH that have these arguments of the JVM added to those of each benchmark. */
  List<String> options() {
    return jvmArguments.isEmpty() ? List.of() : List.of("-jvmArgsAppend", jvmArguments);
  }

  /** Options of JMH that leave out the benchmarks that are of no interest here. */
  List<String> exclusions(boolean quick) {
    String not = "^(?!.*(%s))";
    return quick
        ? List.of("-e", not.formatted(interesting), "-e", not.formatted(mostInteresting))
        : List.of("-e", not.formatted(interesting));
  }

  /** The name on the command line, and in the names of files. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
