package dev.rockpool.agent;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program in a JVM of its own, of the JDK that runs the tests.
 *
 * <p>It gets no options from the environment, so that what it prints is the program's and the
 * agent's. Nothing here waits for more than a minute, or what {@link #patientFor} adds to it; then
 * the program is killed and the test fails with what the program printed.
 */
final class ChildJvm {
  /** The class of pooled arenas under the agent. */
  static final String POOLED = "jdk.internal.foreign.RockpoolBlockArena";

  /** The class of the JDK's arenas: this JVM runs without the agent. */
  static final String REGULAR = Arena.ofConfined().getClass().getName();

  static final Path AGENT_JAR = jar("rockpool.agent.jar");
  static final Path LIBRARY_JAR = jar("rockpool.jar");

  private static final int PATIENCE_SECONDS = 60;
  private final List<String> limits = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Path home = Path.of(System.getProperty("java.home"));
  private String startAfter = "0";
  private int patienceSeconds = PATIENCE_SECONDS;
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  /** Without the agent. */
  static ChildJvm plain() {
    return new ChildJvm();
  }

  /** With the agent from the start, and these of its options. */
  static ChildJvm withAgent(String... options) {
    return withAgent(AGENT_JAR, options);
  }

  /** As above, but the agent is in this jar. The first arena of each thread is pooled already. */
  static ChildJvm withAgent(Path jar, String... options) {
    String suffix = options.length == 0 ? "" : "=" + String.join(",", options);
    return new ChildJvm().with("-javaagent:" + jar + suffix, "-Drockpool.start.after=0");
  }

  private static Path jar(String property) {
    return Path.of(System.getProperty(property)).toAbsolutePath().normalize();
  }

  /** Skips a test of C1 alone on JDKs that do not tell programs of it, which are 27 and later. */
  static void assumeThatItTellsOf(String option) {
    boolean isC1Alone = option.equals("-XX:TieredStopAtLevel=1");
    assumeThat(isC1Alone && Runtime.version().feature() >= 27).isFalse();
  }

  /** The JVM of another JDK. */
  ChildJvm of(Path javaHome) {
    home = javaHome;
    return this;
  }

  /** Lets the agent start the pool after so many arenas, "" for its default; else after none. */
  ChildJvm startingAfter(String arenas) {
    startAfter = arenas;
    return this;
  }

  /** Adds arguments of the JVM. */
  ChildJvm with(String... more) {
    arguments.addAll(Arrays.asList(more));
    return this;
  }

  ChildJvm classPath(Path... entries) {
    return with("-cp", path(entries));
  }

  ChildJvm modulePath(Path... entries) {
    return with("-p", path(entries));
  }

  private static String path(Path... entries) {
    return Arrays.stream(entries)
        .map(Path::toString)
        .collect(Collectors.joining(System.getProperty("path.separator")));
  }

  /** Sets a variable of its environment. */
  ChildJvm environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Limits the addresses of the program; by the shell, because Java can't. */
  ChildJvm withAddressSpace(int kibibytes) {
    limits.addAll(List.of("sh", "-c", "ulimit -v " + kibibytes + " && exec \"$@\"", "limited"));
    return this;
  }

  /** Waits for the program that much longer. */
  ChildJvm patientFor(int seconds) {
    patienceSeconds += seconds;
    return this;
  }

  /** The current directory of the program. */
  ChildJvm in(Path currentDirectory) {
    directory = currentDirectory;
    return this;
  }

  /** Runs the program to its end. */
  Exit run(String... mainAndArguments) {
    try (Running running = start(mainAndArguments)) {
      return running.end();
    }
  }

  /** Starts the program, to talk with. */
  Running start(String... mainAndArguments) {
    List<String> command = new ArrayList<>(limits);
    command.add(home.resolve("bin/java").toString());
    command.add("-Dstdout.encoding=UTF-8");
    if (!startAfter.isEmpty()) {
      command.add("-Drockpool.start.after=" + startAfter);
    }
    command.addAll(arguments);
    command.addAll(Arrays.asList(mainAndArguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
    builder.environment().putAll(environment);
    try {
      return new Running(command, builder.start(), patienceSeconds);
    } catch (IOException failure) {
      throw new AssertionError("could not start " + command, failure);
    }
  }

  /** The end of a program, and its output. */
  record Exit(List<String> command, int code, List<String> out, List<String> err) {
    /** The output of the program, which must have ended well and said nothing else. */
    List<String> quietOutput() {
      if (!err.isEmpty()) {
        throw new AssertionError("expected nothing on standard error: " + this);
      }
      return output();
    }

    /** The standard output of the program, which must have ended well. */
    List<String> output() {
      if (code != 0) {
        throw new AssertionError("expected exit code 0: " + this);
      }
      return out;
    }

    @Override
    public String toString() {
      return String.join(" ", command)
          + "\nexit code "
          + code
          + "\nstandard output:\n"
          + String.join("\n", out)
          + "\nstandard error:\n"
          + String.join("\n", err);
    }
  }

  /** A program that reads commands and answers each with one line. */
  static final class Running implements AutoCloseable {
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
                } catch (UncheckedIOException killed) {
                  return; // the program's streams were closed with it
                }
              });
    }

    /** The output so far, to be shown with a failure. */
    String soFar() {
      return exit(-1).toString();
    }

    String pid() {
      return Long.toString(process.pid());
    }

    /** The next line of the program. */
    String answer() {
      try {
        String line = answers.poll(patienceSeconds, TimeUnit.SECONDS);
        if (line == null) {
          throw new AssertionError("no answer: " + kill());
        }
        return line;
      } catch (InterruptedException stopped) {
        throw new AssertionError("interrupted: " + kill(), stopped);
      }
    }

    /** Sends a line, and returns the one the program answers with. */
    String ask(String question) {
      commands.println(question);
      return answer();
    }

    /** Ends the program's input, and waits for its end. */
    Exit end() {
      commands.close();
      try {
        if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
          throw new AssertionError("does not end: " + kill());
        }
        for (Thread reader : readers) {
          if (!reader.join(java.time.Duration.ofSeconds(patienceSeconds))) {
            throw new AssertionError("ended, but its output is still open: " + kill());
          }
        }
      } catch (InterruptedException stopped) {
        throw new AssertionError("interrupted: " + kill(), stopped);
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
