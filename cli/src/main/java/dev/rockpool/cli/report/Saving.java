package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import dev.rockpool.demo.Calibrator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The agent's saving in one arena with one allocation: measured on this machine by two pairs of
 * JVMs, which takes some two seconds. The best of a side counts, because other programs only make
 * it slower. Nothing is kept for the next time.
 *
 * @param jdk the version of the JDK that was measured
 * @param nanosWithout of an arena without the agent
 * @param nanosWith of an arena with the agent
 * @param startNanos of processor time that the agent's start and warm-up take, at least 0
 * @param spread how many times the better figure the worse one was, at most: 1 if both are equal
 */
record Saving(String jdk, double nanosWithout, double nanosWith, double startNanos, double spread) {
  /**
   * An arena that asked for as many bytes, or more, is certainly too large for the pool. From 512
   * bytes on, which fit, to here the histogram has one bucket.
   */
  static final long TOO_LARGE = 1 << 10;

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static final int PAIRS = 2;

  /** The figures of a busy machine differ by more. */
  private static final double STEADY = 1.5;

  /**
   * The figures of one JVM.
   *
   * @param arenas the class of the arenas
   * @param complaint what the agent said; empty if it left arenas to the JDK's own pool
   */
  record Run(double nanos, double startNanos, String jdk, String arenas, String complaint) {}

  /**
   * Measures with the JDK whose {@code java} is given, on the kind of thread that closed most of
   * the arenas, with their mean size.
   */
  static Saving measure(Report report, Path java) {
    ArenaFigures all = report.all();
    long virtual = report.figures().of(ThreadKind.VIRTUAL).arenas();
    ThreadKind kind = virtual > all.arenas() / 2 ? ThreadKind.VIRTUAL : ThreadKind.PLATFORM;
    long bytes = all.totalBytes().within(1, TOO_LARGE - 1);
    long arenas = Math.max(1, all.totals().within(1, TOO_LARGE - 1));
    List<String> arguments =
        List.of(kind.text(), Long.toString(Math.clamp(bytes / arenas, 1, TOO_LARGE / 2)));
    try (ScratchFolder folder = ScratchFolder.create()) {
      List<Run> without = new ArrayList<>();
      List<Run> with = new ArrayList<>();
      for (int pair = 0; pair < PAIRS; pair++) {
        without.add(run(java, Side.WITHOUT, arguments, folder.path()));
        with.add(run(java, Side.WITH, arguments, folder.path()));
      }
      return of(without, with);
    }
  }

  /** Returns the best of several runs without and with the agent, which must have been at work. */
  static Saving of(List<Run> without, List<Run> with) {
    String arenasOfJdk = without.getFirst().arenas;
    for (Run run : with) {
      if (run.arenas.equals(arenasOfJdk) && !run.complaint.isEmpty()) {
        throw new CommandFailure(
            "The agent must pool arenas in the JVM that measures it: it did not. " + run.complaint);
      }
    }
    double start = least(with, Run::startNanos) - least(without, Run::startNanos);
    if (start < 0) {
      throw new CommandFailure(
          ("The agent's start must take time: a JVM with it took %s less. Other programs disturb"
                  + " the measurement: try again")
              .formatted(Numbers.time(-start)));
    }
    return new Saving(
        without.getFirst().jdk,
        least(without, Run::nanos),
        least(with, Run::nanos),
        start,
        Math.max(
            spread(with, Run::startNanos),
            Math.max(spread(without, Run::nanos), spread(with, Run::nanos))));
  }

  private static double least(List<Run> runs, ToDoubleFunction<Run> figure) {
    return runs.stream().mapToDouble(figure).min().orElseThrow();
  }

  private static double spread(List<Run> runs, ToDoubleFunction<Run> figure) {
    double least = least(runs, figure);
    return least == 0 ? 1 : runs.stream().mapToDouble(figure).max().orElseThrow() / least;
  }

  private static Run run(Path java, Side side, List<String> arguments, Path folder) {
    ProcessBuilder builder = new ProcessBuilder(java.toString());
    if (side == Side.WITH) {
      builder.command().add("-javaagent:" + Installation.agentJar());
    }
    builder
        .command()
        .addAll(List.of("-cp", Installation.ownClasses().toString(), Calibrator.class.getName()));
    builder.command().addAll(arguments);
    // The comparison needs the agent on one side alone.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    builder.environment().remove("ROCKPOOL_AGENT");
    ChildProcess process =
        ChildProcess.run(builder, folder, "calibration", LIMIT)
            .requireSuccess("The calibration", side);
    String[] words = process.outLines().getLast().split(" ", -1);
    boolean isLeftToJdk = Boolean.parseBoolean(words[4]);
    return new Run(
        Double.parseDouble(words[0]),
        Double.parseDouble(words[1]),
        words[2],
        words[3],
        isLeftToJdk ? "" : process.errForMessage());
  }

  double nanos() {
    return Math.max(0, nanosWithout - nanosWith);
  }

  @Override
  public String toString() {
    String noise =
        spread < STEADY
            ? ""
            : ", in runs that differed by a factor of %s, so this is rough; try again"
                .formatted(Statistics.threeDigits(spread));
    return "an arena takes %s without the agent and %s with it, measured here on JDK %s%s"
        .formatted(Numbers.time(nanosWithout), Numbers.time(nanosWith), jdk, noise);
  }
}
