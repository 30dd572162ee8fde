package dev.rockpool.cli.attach;

import dev.rockpool.cli.compare.AgentRoute;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Converters;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.RunningJvm;
import dev.rockpool.cli.support.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "record",
    customSynopsis = {
      "rockpool record [OPTIONS] [PID]",
      "       rockpool record [OPTIONS] -- CMD",
    },
    header = "Record the arenas of a program, for 'report'.",
    description = {
      "",
      "With PID: the agent records the running JVM until TIME is over, Ctrl-C, or the end of the"
          + " process. Then the agent is taken out, or gets its earlier options back.",
      "",
      "With CMD, for example 'record -- java -jar app.jar': runs the program and records it to"
          + " its end, or until TIME is over; the program goes on then. The agent is added right"
          + " after 'java'; otherwise by the environment variable JDK_JAVA_OPTIONS, for any 'java'"
          + " that CMD starts.",
      "",
      "Meanwhile the program's arenas are the JDK's own, unless the agent is already loaded or O"
          + " says otherwise.",
      "",
    })
public final class RecordCommand implements Callable<Integer> {
  /** The option that the agent shows while it does not record. */
  private static final String NOT_RECORDING = "record=off";

  /** Comes first, so what the command says itself is in force. */
  private static final String TRACKING = "-XX:NativeMemoryTracking=summary";

  /** The time between two looks for an agent on its way. */
  private static final Duration LOOK = Duration.ofMillis(100);

  /** The longest time until a JVM has an agent that was not refused. */
  private static final Duration LONGEST_START = Duration.ofMinutes(1);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write the recording to FILE, replacing an existing one; %%p is the process id (default:"
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

  @Option(
      names = "--inlining",
      description =
          "Record, too, what the JVM's compilers inline, for the calls that C2 refused; takes"
              + " processor time while they compile.")
  private boolean inlining;

  @Option(
      names = "--no-tracking",
      description =
          "Run CMD without native memory tracking of the JVM. The report then can't tell all of C"
              + " code's memory from the JVM's. Not for a PID, because it can't be changed in a"
              + " running JVM.")
  private boolean untracked;

  @Option(
      names = "--c",
      arity = "0..1",
      paramLabel = "N",
      parameterConsumer = Interval.class,
      description =
          "Record, too, the live memory of C code by line, with async-profiler, which takes a"
              + " sample each N bytes, such as 512k; 0: leave nothing out (default: 64k). Costs"
              + " time and can crash the program: see docs/recording.md.")
  private @Nullable String cInterval;

  @Parameters(
      arity = "0..*",
      paramLabel = "PID or CMD",
      description =
          "The process, or the command line of a Java program; without, you choose a process from"
              + " a list.")
  private List<String> target = new ArrayList<>();

  /** Takes what follows only if it can't be a process or a command. */
  private static final class Interval implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> next, ArgSpec option, CommandSpec command) {
      boolean isInterval = !next.isEmpty() && next.peek().matches("0|\\d+[kKmM]");
      option.setValue(isInterval ? next.pop() : "64k");
    }
  }

  /** Time of the start, in full seconds, because some file systems keep no fractions. */
  private final long startMillis = System.currentTimeMillis() / 1000 * 1000;

  @Override
  public Integer call() {
    Path pattern = output.toAbsolutePath();
    Misuse.unless(
        !pattern.toString().contains(","),
        "-o must be a file without commas in its path, which separate the agent's options: "
            + pattern);
    if (agentOptions != null) {
      check(agentOptions);
    }
    if (target.isEmpty()) {
      return recordJvm(new AgentInJvm(RunningJvm.choose()));
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
    String all;
    try {
      all = AgentInJvm.accepted("verbose," + options, "", ProcessHandle.current().pid());
    } catch (Misuse refused) {
      throw new Misuse("--agent-options: " + refused.getMessage());
    }
    Misuse.unless(
        AgentInJvm.has(all, NOT_RECORDING),
        "--agent-options must be without record: \"" + options + "\"; use -o");
  }

  private int recordJvm(AgentInJvm agent) {
    long pid = agent.jvm().pid();
    Path file = file(Long.toString(pid));
    String before = agent.options();
    if (before != null && !AgentInJvm.has(before, NOT_RECORDING)) {
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
    OutputFile.checked(file, "the recording");
    try (Signals signals = new Signals()) {
      begin(agent, before, file);
      String until = duration == null ? "; Ctrl-C ends it" : " for " + text(duration);
      Progress.note("rockpool: recording process " + pid + until);
      signals.await(duration, agent.jvm().onExit());
      end(agent, before);
    }
    tell(file, "the reason is in the standard error of the process");
    return 0;
  }

  private void begin(AgentInJvm agent, @Nullable String before, Path file) {
    if (before == null) {
      agent.install(options(file));
      return;
    }
    agent.uninstall();
    try {
      agent.install(
          Stream.of(before.split(",", -1))
              .map(option -> option.equals(NOT_RECORDING) ? record(file) : option)
              .collect(Collectors.joining(",")));
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
    OutputFile.checked(file("%p"), "the recording");
    List<String> tracking = untracked ? List.of() : List.of(TRACKING);
    if (!untracked) {
      System.err.println(
          "rockpool: native memory tracking is on, to tell C code from the JVM; it takes 16 bytes"
              + " or so for each block of the JVM's, and little time. --no-tracking leaves it off");
    }
    Process process = ChildProcess.start(route.with(options(file("%p")), tracking).inheritIO());
    int exitCode;
    boolean ended;
    try (Signals signals = new Signals()) {
      signals.onCome(() -> ChildProcess.end(process));
      if (duration != null) {
        leaveAfter(duration, process);
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
      tell(
          file(Long.toString(process.pid())), "the reason is in the standard error of the process");
    } else {
      tell(file("%p"), "the command started no JVM, or the agent was refused there");
    }
    return exitCode == 0 || ended ? 0 : 1;
  }

  /**
   * Has the agent leave a command after a time, if that goes on until then. The time begins once
   * the agent is there: a JVM may start more slowly, and an agent on its way can't leave.
   */
  private static void leaveAfter(Duration time, Process process) throws InterruptedException {
    AgentInJvm agent = new AgentInJvm(process.pid());
    long start = System.nanoTime();
    do {
      if (process.waitFor(LOOK)) {
        return;
      }
    } while (!isAtWork(agent) && System.nanoTime() - start < LONGEST_START.toNanos());
    if (process.waitFor(time)) {
      return;
    }
    try {
      agent.uninstall();
      Progress.note("rockpool: recorded " + text(time) + "; the program goes on");
    } catch (CommandFailure failure) { // the agent was refused, or sent away
      System.err.println("rockpool: the program goes on: " + failure.getMessage());
    }
  }

  private static boolean isAtWork(AgentInJvm agent) {
    try {
      return agent.isThere();
    } catch (CommandFailure tooEarly) { // the JVM does not answer yet
      return false;
    }
  }

  private String options(Path file) {
    return (agentOptions == null ? AgentRoute.AS_IT_IS : agentOptions) + "," + record(file);
  }

  private String record(Path file) {
    return "record="
        + file
        + (inlining ? ",record.inlining=on" : "")
        + (cInterval == null ? "" : ",record.c=" + cInterval);
  }

  private Path file(String pid) {
    return Path.of(output.toAbsolutePath().toString().replace("%p", pid));
  }

  private static String text(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }

  /** Reports the recordings that were written to a file, with %p for any process id. */
  private void tell(Path pattern, String reasonForNone) {
    String name = Pattern.quote(pattern.getFileName().toString()).replace("%p", "\\E\\d+\\Q");
    List<Path> recordings;
    try (Stream<Path> files = Files.list(pattern.resolveSibling(""))) {
      recordings =
          files
              .filter(file -> file.getFileName().toString().matches(name))
              .filter(this::isRecording)
              .sorted()
              .toList();
    } catch (IOException e) {
      throw new CommandFailure("Cannot list the files of " + pattern + ": " + e, e);
    }
    if (recordings.isEmpty()) {
      throw new CommandFailure(
          "There must be a recording at the end: "
              + pattern.toString().replace("%p", "PID")
              + " has none; "
              + reasonForNone);
    }
    recordings.forEach(
        file ->
            Progress.note(
                "Recorded to %s; to see it: %s"
                    .formatted(file, Installation.command("report", file.toString()))));
  }

  private boolean isRecording(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis() >= startMillis && Files.size(file) > 0;
    } catch (IOException absent) {
      return false;
    }
  }
}
