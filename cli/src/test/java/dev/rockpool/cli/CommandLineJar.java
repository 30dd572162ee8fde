package dev.rockpool.cli;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs the packaged command line as {@code ./rockpool} does. */
public final class CommandLineJar {
  private CommandLineJar() {}

  /** The outcome of a run. */
  public record Outcome(int exitCode, String out, String err) {}

  /** The command line that {@code ./rockpool ARGS} comes to. */
  public static List<String> command(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Installation.java().toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Drockpool.home=" + System.getProperty("rockpool.home"));
    command.addAll(List.of("-jar", System.getProperty("rockpool.cli.jar")));
    command.addAll(List.of(args));
    return command;
  }

  /** Runs {@code rockpool ARGS} to its end. */
  public static Outcome rockpool(String... args) throws IOException {
    List<String> command = command(args);
    Path folder = Files.createTempDirectory("rockpool-it-");
    try {
      ChildProcess process =
          ChildProcess.run(new ProcessBuilder(command), folder, "cli", Duration.ofMinutes(5));
      return new Outcome(
          process.exitCode(), Files.readString(process.out()), Files.readString(process.err()));
    } finally {
      Files.deleteIfExists(folder.resolve("cli.out"));
      Files.deleteIfExists(folder.resolve("cli.err"));
      Files.delete(folder);
    }
  }
}
