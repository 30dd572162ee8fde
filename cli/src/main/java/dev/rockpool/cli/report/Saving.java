package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Calibrator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The agent's saving in one arena with one allocation: measured on this machine by one pair of
 * JVMs, which takes two seconds or less. Nothing is kept for the next time.
 *
 * @param jdk the version of the JDK that was measured
 * @param nanosWithout of an arena without the agent
 * @param nanosWith of an arena with the agent
 * @param startNanos of processor time that the agent's start and warm-up take, at least 0
 */
record Saving(String jdk, double nanosWithout, double nanosWith, double startNanos) {
  /** An arena that asked for as many bytes, or more, is certainly too large for the pool. */
  static final long TOO_LARGE = 16 << 10;

  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** The figures of one JVM. */
  private record Run(double nanos, double startNanos, String jdk) {}

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
      Run without = run(java, Side.WITHOUT, arguments, folder.path());
      Run with = run(java, Side.WITH, arguments, folder.path());
      return new Saving(
          without.jdk,
          without.nanos,
          with.nanos,
          Math.max(0, with.startNanos - without.startNanos));
    }
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
    String[] words =
        ChildProcess.run(builder, folder, "calibration", LIMIT)
            .requireSuccess("The calibration", side)
            .outLines()
            .getLast()
            .split(" ", -1);
    return new Run(Double.parseDouble(words[0]), Double.parseDouble(words[1]), words[2]);
  }

  /** Returns the nanoseconds that an arena saves, at least 0. */
  double nanos() {
    return Math.max(0, nanosWithout - nanosWith);
  }

  @Override
  public String toString() {
    return "an arena takes %s without the agent and %s with it, measured here on JDK %s"
        .formatted(Numbers.time(nanosWithout), Numbers.time(nanosWith), jdk);
  }
}
