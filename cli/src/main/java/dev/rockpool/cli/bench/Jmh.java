package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.CommandFailure;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The benchmarks' jar, to be started with one JDK: JMH itself, and all the JVMs that it forks.
 *
 * @param jar the jar
 * @param folder where it is started: benchmarks under the agent look for it from there
 * @param jvm the JDK
 */
record Jmh(Path jar, Path folder, Jvm jvm) {
  private static final String ERROR = "ERROR: ";

  /** What would be measured with {@code arguments}. */
  List<BenchmarkId> list(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.add("-lp");
    List<String> lines = new ArrayList<>();
    int exitCode = run(all, lines::add);
    if (exitCode != 0) {
      throw failure(exitCode, lines);
    }
    return BenchmarkList.parse(lines);
  }

  /**
   * Measures, which may take hours. Fails if JMH itself does; that a single benchmark fails is
   * something that only its output tells.
   *
   * @param arguments what and how
   * @param log a file for all that it writes
   * @param listener is told each line of it at once
   */
  void measure(List<String> arguments, Path log, Consumer<String> listener) {
    List<String> lines = new ArrayList<>();
    try (BufferedWriter writer = Files.newBufferedWriter(log)) {
      int exitCode =
          run(
              arguments,
              line -> {
                lines.add(line);
                write(writer, line);
                listener.accept(line);
              });
      if (exitCode != 0) {
        throw failure(exitCode, lines);
      }
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + log + ": " + e.getMessage(), e);
    }
  }

  private static void write(BufferedWriter writer, String line) {
    try {
      writer.write(line);
      writer.newLine();
      writer.flush();
    } catch (IOException e) {
      throw new CommandFailure("Cannot write JMH's output to a file: " + e.getMessage(), e);
    }
  }

  private int run(List<String> arguments, Consumer<String> listener) {
    List<String> command = new ArrayList<>(List.of(jvm.java().toString(), "-jar", jar.toString()));
    command.addAll(arguments);
    Process process;
    try {
      process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new CommandFailure("Cannot start " + jvm.java() + ": " + e.getMessage(), e);
    }
    // Should we be ended first, so are JMH and the JVM that it waits for.
    Thread hook = new Thread(() -> end(process));
    Runtime.getRuntime().addShutdownHook(hook);
    try (BufferedReader reader = process.inputReader()) {
      process.getOutputStream().close();
      reader.lines().forEach(listener);
      return process.waitFor();
    } catch (IOException e) {
      throw new CommandFailure("Lost the output of JMH: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted while waiting for JMH", e);
    } finally {
      end(process);
      forget(hook);
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // We are being ended; the hook runs.
    }
  }

  /** JMH says why in a line that begins with ERROR, or else at the end. */
  private static CommandFailure failure(int exitCode, List<String> lines) {
    List<String> errors =
        lines.stream()
            .filter(line -> line.startsWith(ERROR))
            .map(line -> line.substring(line.lastIndexOf(ERROR) + ERROR.length()))
            .toList();
    List<String> reason =
        errors.isEmpty() ? lines.subList(Math.max(0, lines.size() - 10), lines.size()) : errors;
    return new CommandFailure(
        "JMH ended with exit code " + exitCode + ":\n  " + String.join("\n  ", reason));
  }
}
