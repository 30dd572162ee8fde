package dev.rockpool.cli.example;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An example that is built, and how to start it: in the Java of this process, with its default
 * settings.
 *
 * @param name of its folder
 * @param jar which can be run
 * @param folder for what is made of it
 */
record ExampleJar(String name, Path jar, Path folder) {
  /** As {@link Side} says it: how the run is made that the forecast comes from. */
  static final String RECORDED = "recorded without the pool";

  private static final Duration LIMIT = Duration.ofMinutes(2);

  static ExampleJar of(String name) {
    Path home = Installation.home().resolve("examples").resolve(name);
    if (!Files.isRegularFile(home.resolve("pom.xml"))) {
      throw new CommandFailure(
          "An example must be a folder of " + home.getParent() + ": there is no '" + name + "'");
    }
    Path target = home.resolve("target");
    Path jar = target.resolve("rockpool-example-" + name + ".jar");
    Path folder = target.resolve("comparison");
    try {
      return new ExampleJar(
          name, Installation.existing(jar, "example " + name), Files.createDirectories(folder));
    } catch (IOException e) {
      throw new CommandFailure("Cannot make the folder " + folder + ": " + e.getMessage(), e);
    }
  }

  List<String> workloads() {
    return start(List.of(), "list", Side.WITHOUT, "--list").outLines();
  }

  /** Runs a workload in a JVM of its own, without or with the agent. */
  RowFigures measure(String workload, Side side, double seconds) {
    List<String> options = side == Side.WITH ? List.of(agent("verbose")) : List.of();
    ChildProcess process = start(options, workload, side, arguments(workload, seconds));
    requireAgent(isRewritten(process) == (side == Side.WITH), side, process);
    return RowFigures.parse(process.outLines());
  }

  /** Runs it with the JDK's own arenas, and records them to WORKLOAD.jfr for the forecast. */
  RowFigures record(String workload, double seconds) {
    String agent = agent("arenas=off,record=" + folder.resolve(workload + ".jfr"));
    return RowFigures.parse(
        start(List.of(agent), workload, RECORDED, arguments(workload, seconds)).outLines());
  }

  private static String agent(String options) {
    return "-javaagent:" + Installation.agentJar() + "=" + options;
  }

  private static String[] arguments(String workload, double seconds) {
    return new String[] {"--csv", "--seconds", String.valueOf(seconds), workload};
  }

  private ChildProcess start(List<String> options, String file, Object side, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Installation.java().toString()));
    command.addAll(options);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    ChildProcess process =
        ChildProcess.run(new ProcessBuilder(command), folder, file, LIMIT)
            .requireSuccess(name, side);
    requireAgent(!isInherited(process), side, process);
    return process;
  }

  private static boolean isRewritten(ChildProcess process) {
    return process.errLines().stream()
        .anyMatch(line -> line.endsWith("of Arena.ofConfined() rewritten"));
  }

  /** The JVM names what it takes from the environment. */
  private static boolean isInherited(ChildProcess process) {
    return process.errLines().stream()
        .anyMatch(line -> line.contains("Picked up") && line.contains("rockpool-agent"));
  }

  /** An agent that is not at work, or is on both sides, would make the comparison a lie. */
  private static void requireAgent(boolean isOnItsSide, Object side, ChildProcess process) {
    if (!isOnItsSide) {
      throw new CommandFailure(
          "The agent must be at work on its side alone: it was not so in a run "
              + side
              + "; does an environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS) load the"
              + " agent or switch it off?\n"
              + process.errForMessage());
    }
  }
}
