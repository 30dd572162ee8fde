package dev.rockpool.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program in a JVM of its own, of the JDK that runs the tests. Each module has a subclass that
 * knows its class path. Several JVMs run side by side if all are started before the first is waited
 * for.
 *
 * <p>It gets no options from the environment, so that what it prints is the program's and
 * Rockpool's. A program that takes longer than three minutes, or what {@link #patientFor} adds to
 * it, is killed, and the test fails with what the program printed.
 *
 * @param <J> the subclass
 */
public abstract class Jvm<J extends Jvm<J>> {
  private static final int PATIENCE_SECONDS = 180;

  private final List<String> limits = new ArrayList<>();
  protected final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Path home = Path.of(System.getProperty("java.home"));
  private Path directory = Path.of("").toAbsolutePath();
  private int patienceSeconds = PATIENCE_SECONDS;

  /** With those options that every JVM needs on this platform, see {@code test/jdk}. */
  protected Jvm() {
    String needed = System.getProperty("rockpool.test.options");
    if (needed != null) {
      Collections.addAll(options, needed.split(" "));
    }
  }

  /** A JVM without any class path. */
  public static Jvm<?> plain() {
    return new Plain();
  }

  private static final class Plain extends Jvm<Plain> {
    @Override
    protected Plain self() {
      return this;
    }
  }

  protected abstract J self();

  /** The JVM of another JDK. */
  public J of(Path javaHome) {
    home = javaHome;
    return self();
  }

  /** Adds options of the JVM. */
  public J with(String... more) {
    Collections.addAll(options, more);
    return self();
  }

  public J classPath(Path... entries) {
    return with("-cp", path(entries));
  }

  public J modulePath(Path... entries) {
    return with("-p", path(entries));
  }

  private static String path(Path... entries) {
    return Arrays.stream(entries)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Sets a variable of its environment. */
  public J environment(String name, String value) {
    environment.put(name, value);
    return self();
  }

  /** Limits the addresses of the program; by the shell, because Java can't. */
  public J withAddressSpace(int kibibytes) {
    Collections.addAll(limits, "sh", "-c", "ulimit -v " + kibibytes + " && exec \"$@\"", "limited");
    return self();
  }

  /** Puts the program into a control group of Linux; likewise. */
  public J inControlGroup(Path group) {
    String join = "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"";
    Collections.addAll(limits, "sh", "-c", join, "limited");
    return self();
  }

  /** Waits for the program that much longer. */
  public J patientFor(int seconds) {
    patienceSeconds += seconds;
    return self();
  }

  /** Sets the current directory of the program. */
  public J in(Path currentDirectory) {
    directory = currentDirectory;
    return self();
  }

  /** Runs the program to its end. */
  public Exit run(String... mainAndArguments) {
    try (Running running = start(mainAndArguments)) {
      return running.end();
    }
  }

  /** Starts the program, to talk with. */
  public Running start(String... mainAndArguments) {
    assumeFalse(Boolean.getBoolean("rockpool.quick"), "profile quick starts no JVMs");
    List<String> command = new ArrayList<>(limits);
    // On Windows with the ending: in Wine "java" may be a script that starts it.
    boolean windows = System.getProperty("os.name").startsWith("Windows");
    command.add(home.resolve(windows ? "bin/java.exe" : "bin/java").toString());
    command.addAll(options);
    Collections.addAll(command, mainAndArguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
    builder.environment().putAll(environment);
    try {
      return new Running(command, builder.start(), patienceSeconds);
    } catch (IOException failure) {
      throw new IllegalStateException("could not start " + command, failure);
    }
  }

  /** The end of a program, and its output. */
  public record Exit(List<String> command, int code, List<String> out, List<String> err) {
    /** The output of the program, which must have ended well and said nothing else. */
    public List<String> quietOutput() {
      if (!err.isEmpty()) {
        throw new AssertionError("expected nothing on standard error: " + this);
      }
      return output();
    }

    /** The standard output of the program, which must have ended well. */
    public List<String> output() {
      if (code != 0) {
        throw new AssertionError("expected exit code 0: " + this);
      }
      return out;
    }

    /** Standard output as one text. */
    public String outText() {
      return text(out);
    }

    /** Standard error as one text. */
    public String errText() {
      return text(err);
    }

    private static String text(List<String> lines) {
      return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    @Override
    public String toString() {
      return String.join(" ", command)
          + "\nexit code "
          + code
          + "\nstandard output:\n"
          + outText()
          + "standard error:\n"
          + errText();
    }
  }

  /** A program that may read commands and answer each with one line. */
  public static final class Running implements AutoCloseable {
    private final List<String> command;
    private final Process process;
    private final int patienceSeconds;
    private final PrintWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Collection<String> out = new ConcurrentLinkedQueue<>();
    private final Collection<String> err = new ConcurrentLinkedQueue<>();
    private final List<Thread> readers;

    private Running(List<String> command, Process process, int patienceSeconds) {
      this.command = command;
      this.process = process;
      this.patienceSeconds = patienceSeconds;
      this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
      this.readers =
          List.of(
              read(process.getInputStream(), List.of(out, answers)),
              read(process.getErrorStream(), List.of(err)));
    }

    private static Thread read(InputStream stream, List<Collection<String>> sinks) {
      return Thread.ofVirtual()
          .start(
              () -> {
                BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
                try {
                  lines.lines().forEach(line -> sinks.forEach(sink -> sink.add(line)));
                } catch (UncheckedIOException ignored) { // the program was killed
                  return;
                }
              });
    }

    /** The output so far, to be shown with a failure. */
    public String soFar() {
      return exit(-1).toString();
    }

    public String pid() {
      return Long.toString(process.pid());
    }

    /** The next line of the program. */
    public String answer() {
      try {
        String line = answers.poll(patienceSeconds, TimeUnit.SECONDS);
        if (line == null) {
          throw new IllegalStateException("no answer: " + kill());
        }
        return line;
      } catch (InterruptedException stopped) {
        throw new IllegalStateException("interrupted: " + kill(), stopped);
      }
    }

    /** Sends a line, and returns the one the program answers with. */
    public String ask(String question) {
      commands.println(question);
      return answer();
    }

    /** Sends lines, whatever the answers are, and waits for the end of the program. */
    public Exit endAfter(String lines) {
      try (this) {
        commands.print(lines);
        return end();
      }
    }

    /** Ends the program's input, and waits for its end. */
    public Exit end() {
      commands.close();
      try {
        if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
          throw new IllegalStateException("does not end: " + kill());
        }
        for (Thread reader : readers) {
          if (!reader.join(Duration.ofSeconds(patienceSeconds))) {
            throw new IllegalStateException("ended, but its output is still open: " + kill());
          }
        }
      } catch (InterruptedException stopped) {
        throw new IllegalStateException("interrupted: " + kill(), stopped);
      }
      return exit(process.exitValue());
    }

    private Exit exit(int code) {
      return new Exit(command, code, List.copyOf(out), List.copyOf(err));
    }

    private Exit kill() {
      process.destroyForcibly();
      return exit(-1);
    }

    /** Kills the program if it is still there. */
    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
