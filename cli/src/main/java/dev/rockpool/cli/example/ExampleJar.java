package dev.rockpool.cli.example;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An example that is built, and how to start it: in the Java of this process, with its default
 * settings.
 *
 * @param name of its folder
 * @param jar which can be run
 * @param folder for what is made of it
 */
record ExampleJar(String name, Path jar, Path folder) {
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
    return start(Side.WITHOUT, "list", "--list").outLines();
  }

  /** Runs a workload in a JVM of its own; a recording of it goes to WORKLOAD.jfr. */
  RowFigures measure(String workload, Side side, double seconds) {
    ChildProcess process =
        start(side, workload, "--csv", "--seconds", String.valueOf(seconds), workload);
    return RowFigures.parse(process.outLines());
  }

  private ChildProcess start(Side side, String workload, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Installation.java().toString()));
    String agent = "-javaagent:" + Installation.agentJar();
    switch (side) {
      case WITHOUT -> {}
      case WITH -> command.add(agent + "=verbose");
      case RECORDED ->
          command.add(agent + "=arenas=off,record=" + folder.resolve(workload + ".jfr"));
    }
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    String file = workload + "-" + side.name().toLowerCase(Locale.ROOT);
    ChildProcess process = ChildProcess.run(new ProcessBuilder(command), folder, file, LIMIT);
    if (process.exitCode() != 0) {
      throw new CommandFailure(
          name
              + " failed "
              + side
              + ", with exit code "
              + process.exitCode()
              + ".\n"
              + process.errForMessage());
    }
    requireAgent(side, process);
    return process;
  }

  /** An agent that is not at work, or is on both sides, would make the comparison a lie. */
  private static void requireAgent(Side side, ChildProcess process) {
    List<String> lines = process.errLines();
    boolean rewritten =
        lines.stream().anyMatch(line -> line.endsWith("of Arena.ofConfined() rewritten"));
    // The JVM names what it takes from the environment.
    boolean inherited =
        lines.stream()
            .anyMatch(line -> line.contains("Picked up") && line.contains("rockpool-agent"));
    boolean expected = side == Side.RECORDED ? rewritten : side == Side.WITH;
    if (inherited || rewritten != expected) {
      throw new CommandFailure(
          "The agent must be at work on its side alone: it was not so in a run "
              + side
              + "; does an environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS) load the"
              + " agent or switch it off?\n"
              + process.errForMessage());
    }
  }
}
