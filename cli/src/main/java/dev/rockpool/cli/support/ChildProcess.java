package dev.rockpool.cli.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process that has ended.
 *
 * @param exitCode its exit code
 * @param seconds from just before its start to just after its end
 * @param out a file with what it wrote to standard output
 * @param err a file with what it wrote to standard error
 */
public record ChildProcess(int exitCode, double seconds, Path out, Path err) {
  /** Limit of a process that may take any time. */
  public static final Duration NO_LIMIT = Duration.ofDays(1000);

  private static final int LINES_SHOWN = 20;

  /**
   * Runs a process to its end, with its output in NAME.out and NAME.err of {@code folder}. The
   * process gets nothing on standard input, and ends with this JVM.
   */
  public static ChildProcess run(ProcessBuilder builder, Path folder, String name, Duration limit) {
    Path out = folder.resolve(name + ".out");
    Path err = folder.resolve(name + ".err");
    out.toFile().deleteOnExit(); // if the caller does not
    err.toFile().deleteOnExit();
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    long start = System.nanoTime();
    Process process = start(builder);
    Thread hook = new Thread(() -> end(process));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new CommandFailure(
            "A child process must end within %s s: %s"
                .formatted(limit.toSeconds(), builder.command()));
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return new ChildProcess(process.exitValue(), seconds, out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted while waiting for " + builder.command(), e);
    } finally {
      end(process);
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ignored) {
        // This JVM is ending, and runs the hook itself.
      }
    }
  }

  public static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      // The JDK's own message would say again what could not be started.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new CommandFailure(
          "Cannot start " + builder.command().getFirst() + ": " + reason.getMessage(), e);
    }
  }

  /** Asks a process and its descendants to end. */
  public static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  public List<String> outLines() {
    return lines(out);
  }

  public List<String> errLines() {
    return lines(err);
  }

  /**
   * Returns this process if it worked.
   *
   * @param what was run, as the subject of a sentence
   * @param side of a comparison, as the end of that sentence
   * @throws CommandFailure with what it wrote to standard error, if its exit code is not 0
   */
  public ChildProcess requireSuccess(String what, Object side) {
    if (exitCode != 0) {
      throw new CommandFailure(
          what + " failed " + side + ", with exit code " + exitCode + ".\n" + errForMessage());
    }
    return this;
  }

  /** The last lines of standard error, indented, under a line that says so; or that it is empty. */
  public String errForMessage() {
    List<String> lines = errLines();
    List<String> shown = lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size());
    return lines.isEmpty()
        ? "It wrote nothing to standard error."
        : "The end of its standard error:\n  " + String.join("\n  ", shown);
  }

  private static List<String> lines(Path file) {
    try {
      // Unlike Files.readAllLines, takes bytes that are not valid in the charset.
      return new String(Files.readAllBytes(file), Charset.defaultCharset()).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
