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
   * @param start ns that start and warm-up take more
   */
  record Cost(Range gain, Range start) {}

  /** One JVM. */
  private record Run(double warmNanos, double startNanos, String jdk) {}

  private static final int LEAST_PAIRS = 3;
  private static final int MOST_PAIRS = 5;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Smaller differences depend on how C2 compiles a program. */
  private static final double BLUR_NANOS = 5;

  private static final double BLUR_SHARE = 0.1;

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
        Pairs gain = Pairs.of(load, java, folder.path(), true);
        Load alone = load.onOneThread();
        Pairs start = alone.equals(load) ? gain : Pairs.of(alone, java, folder.path(), false);
        jdk = gain.with().getFirst().jdk();
        pairs = Math.max(pairs, gain.with().size());
        costs.put(load, new Cost(gain.gain(), start.start().orWorse(gain.start())));
        progress.done("calibrated" + step + ": each gains " + gain.gain().text(Numbers::time));
      }
    }
    return new Calibration(jdk, pairs, costs);
  }

  /** As many without as with the agent. */
  private record Pairs(List<Run> without, List<Run> with) {
    /** Runs more of them where the sign of the gain is unsure and matters. */
    static Pairs of(Load load, Path java, Path folder, boolean isSignNeeded) {
      Pairs pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
      int most = isSignNeeded ? MOST_PAIRS : LEAST_PAIRS;
      for (int i = 0; i < most && (i < LEAST_PAIRS || pairs.isUnsure()); i++) {
        pairs.without.add(run(load, java, Side.WITHOUT, folder));
        pairs.with.add(run(load, java, Side.WITH, folder));
      }
      return pairs;
    }

    private boolean isUnsure() {
      return gain().low() <= 0 && gain().high() >= 0;
    }

    private Range range(ToDoubleFunction<Run> figure) {
      return Range.of(
          IntStream.range(0, with.size())
              .mapToDouble(
                  i -> figure.applyAsDouble(without.get(i)) - figure.applyAsDouble(with.get(i)))
              .toArray());
    }

    Range gain() {
      double least = without.stream().mapToDouble(Run::warmNanos).min().orElseThrow();
      double blur = Math.max(BLUR_NANOS, BLUR_SHARE * least);
      return range(Run::warmNanos).plus(new Range(-blur, blur));
    }

    /** From the middle on, because programs have more classes for the agent to look at. */
    Range start() {
      Range all = range(Run::startNanos).times(-1);
      return new Range((all.low() + all.high()) / 2, all.high());
    }
  }

  private static Run run(Load load, Path java, Side side, Path folder) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    if (side == Side.WITH) {
      command.add("-javaagent:" + Installation.agentJar());
      command.add("-Drockpool.start.after=0"); // what counts is the pool, not the wait for it
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
    return new Run(Double.parseDouble(words[0]), Double.parseDouble(words[1]), words[2]);
  }

  /** In a sentence, for the reader of the figures. */
  String description() {
    return "Calibrated on %s, JDK %s, with %s pairs of JVMs that opened such arenas without and with"
            .formatted(Host.cpu(), jdk, pairs)
        + " the agent.";
  }
}
