package dev.rockpool.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.Installation;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that runs one of the programs here. */
public record TargetJvm(Process process, Path err) implements AutoCloseable {
  static final String JDK_ARENA = "jdk.internal.foreign.ArenaImpl";

  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  /** A program that opens arenas all the time. */
  public static TargetJvm loop(Path folder, String... options) throws IOException {
    return start(folder, "ready", ArenaLoop.class, options);
  }

  /** A program that prints the class of its arena for each line. */
  static TargetJvm perLine(Path folder, String... options) throws IOException {
    return start(folder, JDK_ARENA, ArenaPerLine.class, options);
  }

  /** A program without arenas, started with the agent. */
  static TargetJvm withoutArenas(Path folder) throws IOException {
    return start(folder, "ready", NoArenas.class, "-javaagent:" + Installation.agentJar());
  }

  /** Any program, once it has printed its first line. */
  public static TargetJvm start(Path folder, String first, Class<?> main, String... options)
      throws IOException {
    List<String> command = new ArrayList<>(command(options));
    command.add(main.getName());
    Path err = Files.createTempFile(folder, "target", ".err");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(Redirect.to(err.toFile()))
            .start();
    TargetJvm target = new TargetJvm(process, err);
    assertThat(process.inputReader().readLine()).isEqualTo(first);
    return target;
  }

  private static List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(Installation.java().toString()));
    command.add("-XX:+EnableDynamicAgentLoading");
    command.add("-Drockpool.start.after=0");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", CLASSES));
    return command;
  }

  /** The command line of the program that opens arenas all the time. */
  static List<String> loopCommand() {
    List<String> command = command();
    command.add(ArenaLoop.class.getName());
    return command;
  }

  public String pid() {
    return Long.toString(process.pid());
  }

  /** Runs {@code rockpool COMMAND ... PID MORE}. */
  public Outcome rockpool(List<String> command, String... more) throws IOException {
    List<String> args = new ArrayList<>(command);
    args.add(pid());
    args.addAll(List.of(more));
    return CommandLineJar.rockpool(args.toArray(String[]::new));
  }

  /** Runs {@code rockpool attach PID OPTIONS}, which must work. */
  public TargetJvm attach(String... options) throws IOException {
    Outcome outcome = rockpool(List.of("attach"), options);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(0);
    return this;
  }

  /** The answer to a line: the program goes on. */
  String answer() throws IOException {
    BufferedWriter in = process.outputWriter();
    in.write("go\n");
    in.flush();
    return process.inputReader().readLine();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
