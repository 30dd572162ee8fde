package dev.rockpool.cli.report;

import dev.rockpool.calibration.Calibrator;
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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The recorded arenas, opened once more on this machine: in JVMs without and with the agent, by
 * turns. Nothing is kept for the next time.
 *
 * @param jdk whose arenas were measured
 * @param costs of each load
 */
record Calibration(String jdk, Map<Load, Cost> costs) {
  /**
   * The difference that the agent makes.
   *
   * @param gain ns of processor time for each arena
   * @param net ns that a JVM like the recorded ones saves with them, from start to end
   * @param start ns that start and warm-up take more in a JVM that runs on
   */
  record Cost(Range gain, Range net, Range start) {
    /** Returns ranges that have these, and others. */
    private Cost span(Cost other) {
      return new Cost(gain.span(other.gain), net.span(other.net), start.span(other.start));
    }
  }

  /**
   * The figures of one JVM, in processor time.
   *
   * @param warmNanos ns for each arena once all is warm
   * @param extraOfRunNanos ns beside these until as many arenas were opened as the program opened
   * @param extraNanos ns beside these in all
   */
  record Run(double warmNanos, double extraOfRunNanos, double extraNanos, String jdk) {}

  /**
   * Pairs of JVMs for each load. A fixed number, because pairs that are added while a sign is
   * unsure make ranges miss the mean more often than {@link Range#of} says.
   */
  static final int PAIRS = 8;

  /**
   * Stands for four more calls between a thread's first method and its arena. C2 inlines 15 calls
   * deep from the method that it compiles, which is the first one where threads end soon. No
   * recording tells how deep arenas are opened, and from some depth on they are garbage, those of
   * the JDK first. Threads that live on have loops, which C2 compiles near the arena: there the
   * option changed nothing.
   */
  private static final String AS_IF_DEEPER = "-XX:MaxInlineLevel=11";

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Nanoseconds of an arena: smaller differences depend on how C2 compiles a program. */
  private static final double BLUR_NANOS = 5;

  private static final double BLUR_SHARE = 0.1;

  /** Nanoseconds: the start of a binding of six functions took that much less than calibrated. */
  private static final double BLUR_START = 30e6;

  /** Measures on the JDK whose {@code java} is given. */
  static Calibration run(List<Load> loads, Path java) {
    String jdk = "";
    Map<Load, Cost> costs = new LinkedHashMap<>();
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(loads.size())) {
      for (Load load : loads) {
        String step = " with arenas as on " + load.arguments().getFirst() + " threads";
        progress.begin("calibrating" + step);
        Pairs measured = pairs(load, List.of(), java, folder.path());
        Cost cost = measured.cost();
        if (load.endsSoon()) {
          cost = cost.span(pairs(load, List.of(AS_IF_DEEPER), java, folder.path()).cost());
        }
        jdk = measured.with().getFirst().jdk();
        costs.put(load, cost);
        progress.done("calibrated" + step + ": each gains " + cost.gain().text(Numbers::time));
      }
    }
    return new Calibration(jdk, costs);
  }

  /**
   * JVMs without and with the agent, by turns.
   *
   * @param arenas of a recorded JVM
   */
  record Pairs(double arenas, List<Run> without, List<Run> with) {
    static Pairs of(double arenas, Function<Side, Run> jvm) {
      Pairs pairs = new Pairs(arenas, new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < PAIRS; i++) {
        pairs.without.add(jvm.apply(Side.WITHOUT));
        pairs.with.add(jvm.apply(Side.WITH));
      }
      return pairs;
    }

    /**
     * Computes the net of each pair, because start and warm time depend on each other: a JVM that
     * takes longer to compile may be faster afterwards.
     */
    Cost cost() {
      double least = without.stream().mapToDouble(Run::warmNanos).min().orElseThrow();
      double blur = Math.max(BLUR_NANOS, BLUR_SHARE * least);
      return new Cost(
          saved(Run::warmNanos, blur),
          saved(run -> run.warmNanos * arenas + run.extraOfRunNanos, blur * arenas + BLUR_START),
          saved(Run::extraNanos, BLUR_START).times(-1));
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

  private static Pairs pairs(Load load, List<String> options, Path java, Path folder) {
    return Pairs.of((double) load.servedOfJvm(), side -> run(load, options, java, side, folder));
  }

  private static Run run(Load load, List<String> options, Path java, Side side, Path folder) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    if (side == Side.WITH) {
      command.add("-javaagent:" + Installation.agentJar());
    }
    command.addAll(options);
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

  /** Returns the number of pairs of JVMs for each load; 0 without a load. */
  int pairs() {
    return costs.isEmpty() ? 0 : PAIRS;
  }

  /** In a sentence, for the reader of the figures. */
  String description() {
    return "Calibrated on %s, JDK %s, with %s pairs of JVMs for each load and depth, without and with"
            .formatted(Host.cpu(), jdk, pairs())
        + " the agent.";
  }
}
