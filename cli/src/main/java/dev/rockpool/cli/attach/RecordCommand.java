package dev.rockpool.cli.attach;

import dev.rockpool.cli.compare.AgentRoute;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Converters;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool record}. */
@Command(
    name = "record",
    customSynopsis = {
      "rockpool record [-o=FILE] [--duration=TIME] [--agent-options=O] PID",
      "       rockpool record [-o=FILE] [--duration=TIME] [--agent-options=O] -- CMD",
    },
    header = "Record the arenas of a program, for 'report'.",
    description = {
      "",
      "With PID: the agent records the running JVM until TIME is over, Ctrl-C, or the end of the"
          + " process. Then the agent leaves, or has the options that it had before.",
      "",
      "With CMD, for example 'record -- java -jar app.jar': runs the program and records it to"
          + " its end, or until TIME is over; the program goes on then. The agent is added right"
          + " after 'java'; otherwise by the environment variable JDK_JAVA_OPTIONS, for any 'java'"
          + " that CMD starts.",
      "",
      "The arenas of the program stay the JDK's meanwhile, unless the agent is there already or"
          + " O says so.",
      "",
    })
public final class RecordCommand implements Callable<Integer> {
  /** Text among the options that the agent shows while it does not record. */
  private static final String NOT_RECORDING = ",record=off,";

  private static final String FORMAT = "the recording";

  /** Time between two looks for an agent on its way, and how often; it may have been refused. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final int MOST_LOOKS = 600;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write the recording to FILE, in place of what was there; %%p is the process id (default:"
              + " rockpool-%%p.jfr).")
  private Path output = Path.of("rockpool-%p.jfr");

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "Record no longer than TIME, such as 500ms, 60s, 5m, 2h.")
  private @Nullable Duration duration;

  @Option(
      names = "--agent-options",
      paramLabel = "O",
      description =
          "The agent's other options while it records (default: "
              + AgentRoute.AS_IT_IS
              + "). Not for a PID that has the agent.")
  private @Nullable String agentOptions;

  @Parameters(
      arity = "1..*",
      paramLabel = "PID or CMD",
      description = "The process, 'jps -l' lists them; or the command line of a Java program.")
  private List<String> target = new ArrayList<>();

  /** Time of the start, in full seconds, because some file systems keep no fractions. */
  private final long startMillis = System.currentTimeMillis() / 1000 * 1000;

  @Override
  public Integer call() {
    Misuse.unless(
        !output.toAbsolutePath().toString().contains(","),
        "-o must be a file without commas in its path, which separate the agent's options: "
            + output.toAbsolutePath());
    if (agentOptions != null) {
      check(agentOptions);
    }
    if (target.size() == 1 && target.getFirst().matches("\\d{1,18}")) {
      return recordJvm(new AgentInJvm(Long.parseLong(target.getFirst())));
    }
    AgentRoute route = new AgentRoute(target, Installation.agentJar());
    Misuse.unless(
        duration == null || route.isArgument(),
        "--duration needs a command that begins with java: it begins with " + target.getFirst());
    return recordCommand(route);
  }

  /** Refuses options that the agent would refuse, and those that are ours to give. */
  private static void check(String options) {
    try {
      String all = AgentInJvm.accepted("verbose," + options, "", ProcessHandle.current().pid());
      Misuse.unless(
          all.contains(NOT_RECORDING),
          "--agent-options must be without record: \"" + options + "\"; use -o");
    } catch (IllegalArgumentException refused) {
      throw new Misuse("--agent-options: " + refused.getMessage());
    }
  }

  private int recordJvm(AgentInJvm agent) {
    long pid = agent.jvm().pid();
    Path file = file(pid);
    String before = agent.options();
    if (before != null && !before.contains(NOT_RECORDING)) {
      throw new CommandFailure(
          "The agent records once in a JVM: process %d has it with %s; 'jcmd %d JFR.dump"
                  .formatted(pid, before, pid)
              + " name=rockpool filename=FILE' writes the figures so far");
    }
    if (before != null && agentOptions != null) {
      throw new CommandFailure(
          "--agent-options is for a JVM without the agent: process %d has it with %s"
              .formatted(pid, before));
    }
    OutputFile.checked(file, FORMAT);
    try (Signals signals = new Signals()) {
      begin(agent, before, file);
      String until = duration == null ? "; Ctrl-C ends it" : " for " + text(duration);
      System.err.println("rockpool: recording process " + pid + until);
      signals.await(duration, agent.jvm().onExit());
      end(agent, before);
    }
    tell(file);
    return 0;
  }

  private void begin(AgentInJvm agent, @Nullable String before, Path file) {
    if (before == null) {
      agent.install(options(file));
      return;
    }
    agent.uninstall();
    try {
      agent.install(before.replace(NOT_RECORDING, ",record=" + file + ","));
    } catch (CommandFailure failure) {
      agent.install(before);
      throw failure;
    }
  }

  private static void end(AgentInJvm agent, @Nullable String before) {
    try {
      agent.uninstall();
      if (before != null) {
        agent.install(before);
      }
    } catch (CommandFailure failure) {
      if (!agent.jvm().hasEnded()) {
        throw failure;
      }
    }
  }

  private int recordCommand(AgentRoute route) {
    Path pattern = output.toAbsolutePath();
    OutputFile.checked(pattern, FORMAT);
    Process process = ChildProcess.start(route.with(options(pattern)).inheritIO());
    int exitCode;
    boolean ended;
    try (Signals signals = new Signals()) {
      signals.onCome(() -> ChildProcess.end(process));
      if (duration != null && isRecordedFor(process, duration)) {
        leave(new AgentInJvm(process.pid()), text(duration));
      }
      exitCode = process.waitFor();
      ended = signals.came();
    } catch (InterruptedException early) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted while waiting for " + target, early);
    }
    if (exitCode != 0 && !ended) {
      System.err.println("rockpool: the command ended with exit code " + exitCode);
    }
    if (route.isArgument()) {
      tell(file(process.pid()));
    } else {
      tellAll(pattern);
    }
    return exitCode == 0 || ended ? 0 : 1;
  }

  /**
   * Waits, and once more if the agent came meanwhile: a JVM may start more slowly than it is to be
   * recorded, and an agent on its way can't leave.
   *
   * @return false if the process ended first
   */
  private static boolean isRecordedFor(Process process, Duration time) throws InterruptedException {
    AgentInJvm agent = new AgentInJvm(process.pid());
    boolean goesOn = !endsWithin(process, time);
    if (!goesOn || isAtWork(agent)) {
      return goesOn;
    }
    for (int looks = 0; goesOn && looks < MOST_LOOKS && !isAtWork(agent); looks++) {
      goesOn = !endsWithin(process, LOOK);
    }
    return goesOn && !endsWithin(process, time);
  }

  private static boolean endsWithin(Process process, Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static boolean isAtWork(AgentInJvm agent) {
    try {
      return agent.isThere();
    } catch (CommandFailure tooEarly) { // the JVM does not answer yet
      return false;
    }
  }

  private static void leave(AgentInJvm agent, String after) {
    try {
      agent.uninstall();
      System.err.println("rockpool: recorded " + after + "; the program goes on");
    } catch (CommandFailure failure) { // refused, or sent away
      System.err.println("rockpool: the program goes on: " + failure.getMessage());
    }
  }

  private String options(Path file) {
    return (agentOptions == null ? AgentRoute.AS_IT_IS : agentOptions) + ",record=" + file;
  }

  private Path file(long pid) {
    return Path.of(output.toAbsolutePath().toString().replace("%p", Long.toString(pid)));
  }

  private static String text(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }

  private void tell(Path file) {
    if (!isRecording(file)) {
      throw noRecording(file, "the reason is in the standard error of the process");
    }
    System.out.println("Recorded to " + file + "; './rockpool report " + file + "' shows it.");
  }

  /** Reports the recordings of the JVMs that the command started. */
  private void tellAll(Path pattern) {
    String name = pattern.getFileName().toString().replace("%p", "\\E\\d+\\Q");
    try (Stream<Path> files = Files.list(pattern.resolveSibling(""))) {
      List<Path> recordings =
          files
              .filter(file -> file.getFileName().toString().matches("\\Q" + name + "\\E"))
              .filter(this::isRecording)
              .sorted()
              .toList();
      if (recordings.isEmpty()) {
        throw noRecording(pattern, "the command started no JVM, or the agent was refused there");
      }
      recordings.forEach(this::tell);
    } catch (IOException unreadable) {
      throw new CommandFailure(
          "Cannot list the files of " + pattern + ": " + unreadable, unreadable);
    }
  }

  private static CommandFailure noRecording(Path file, String reason) {
    return new CommandFailure(
        "There must be a recording at the end: "
            + file.toString().replace("%p", "PID")
            + " has none; "
            + reason);
  }

  private boolean isRecording(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis() >= startMillis && Files.size(file) > 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
