package dev.rockpool.cli.report;

import dev.rockpool.calibration.Calibrator;
import dev.rockpool.cli.report.Savings.Range;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The recorded arenas, opened once more on this machine: in JVMs without and with the agent, by
 * turns. Nothing is kept for the next time.
 *
 * @param jdk whose arenas were measured
 * @param pairs of JVMs, for each load
 * @param costs of each load
 */
record Calibration(String jdk, int pairs, Map<Load, Cost> costs) {
  /**
   * The difference that the agent makes.
   *
   * @param gain ns of processor time for each arena
   * @param net ns that a JVM like the recorded ones saves with them, from start to end
   * @param start ns that start and warm-up take more in a JVM that runs on
   */
  record Cost(Range gain, Range net, Range start) {}

  /** One JVM. Its processor time for n arenas is {@code n * warmNanos + startOfRunNanos}. */
  private record Run(double warmNanos, double startOfRunNanos, double startNanos, String jdk) {}

  private static final int LEAST_PAIRS = 4;
  private static final int MOST_PAIRS = 8;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Smaller differences depend on how C2 compiles a program. */
  private static final double BLUR_NANOS = 5;

  private static final double BLUR_SHARE = 0.1;

  /** ns: a binding of six functions took so much less than its calibration. */
  private static final double BLUR_START = 30e6;

  /** Measures on the JDK whose {@code java} is given. */
  static Calibration run(List<Load> loads, Path java) {
    String jdk = "";
    int pairs = 0;
    Map<Load, Cost> costs = new LinkedHashMap<>();
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(loads.size())) {
      for (Load load : loads) {
        String step = " with arenas as on " + load.arguments().getFirst() + " threads";
        progress.begin("calibrating" + step);
        Pairs measured = Pairs.of(load, java, folder.path());
        jdk = measured.with().getFirst().jdk();
        pairs = Math.max(pairs, measured.with().size());
        costs.put(load, measured.cost());
        progress.done(
            "calibrated" + step + ": each gains " + measured.cost().gain().text(Numbers::time));
      }
    }
    return new Calibration(jdk, pairs, costs);
  }

  /**
   * As many JVMs without as with the agent.
   *
   * @param arenas of a recorded JVM
   */
  private record Pairs(double arenas, List<Run> without, List<Run> with) {
    /** Runs more of them while a sign is unsure. */
    static Pairs of(Load load, Path java, Path folder) {
      Pairs pairs = new Pairs(load.arenasOfJvm(), new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < MOST_PAIRS && (i < LEAST_PAIRS || pairs.isUnsure()); i++) {
        pairs.without.add(run(load, java, Side.WITHOUT, folder));
        pairs.with.add(run(load, java, Side.WITH, folder));
      }
      return pairs;
    }

    private boolean isUnsure() {
      return cost().gain().isUnsure() || cost().net().isUnsure();
    }

    /**
     * The net is taken from each pair, because a JVM that starts slowly for its figures may get
     * faster for it.
     */
    Cost cost() {
      double least = without.stream().mapToDouble(Run::warmNanos).min().orElseThrow();
      double blur = Math.max(BLUR_NANOS, BLUR_SHARE * least);
      return new Cost(
          saved(Run::warmNanos, blur),
          saved(run -> run.warmNanos * arenas + run.startOfRunNanos, blur * arenas + BLUR_START),
          saved(Run::startNanos, BLUR_START).times(-1));
    }

    private Range saved(ToDoubleFunction<Run> figure, double blur) {
      double[] differences =
          IntStream.range(0, with.size())
              .mapToDouble(
                  i -> figure.applyAsDouble(without.get(i)) - figure.applyAsDouble(with.get(i)))
              .toArray();
      return Range.of(differences).plus(new Range(-blur, blur));
    }
  }

  private static Run run(Load load, Path java, Side side, Path folder) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    if (side == Side.WITH) {
      command.add("-javaagent:" + Installation.agentJar());
    }
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            Installation.ownClasses().toString(),
            Calibrator.class.getName()));
    command.addAll(load.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    // The comparison needs the agent on one side alone.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    builder.environment().remove("ROCKPOOL_AGENT");
    String[] words =
        ChildProcess.run(builder, folder, "calibration", LIMIT)
            .requireSuccess("The calibration", side)
            .outLines()
            .getLast()
            .split(" ", -1);
    return new Run(
        Double.parseDouble(words[0]),
        Double.parseDouble(words[1]),
        Double.parseDouble(words[2]),
        words[3]);
  }

  /** In a sentence, for the reader of the figures. */
  String description() {
    return "Calibrated on %s, JDK %s, with %s pairs of JVMs that opened such arenas without and with"
            .formatted(Host.cpu(), jdk, pairs)
        + " the agent.";
  }
}
