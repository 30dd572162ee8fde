package dev.rockpool.cli.compare;

import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Headline;
import dev.rockpool.cli.support.Headline.Tone;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonOption;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "demo",
    customSynopsis = {
      "rockpool demo [--quick] [--json=FILE]",
      "       rockpool demo [--runs=N] [--json=FILE] -- COMMAND...",
    },
    header = "Show what the agent saves: in calls of C functions, or in your own program.",
    description = {
      "",
      "Without COMMAND: a small program calls six C functions as bindings do. Each runs in JVMs of"
          + " its own, with their default settings, in turn without and with the agent. Both must"
          + " give the same results. Takes one to two minutes.",
      "",
      "With COMMAND, for example 'demo -- java -jar app.jar': times your program from start to end,"
          + " in turn without and with the agent, after a first run of each, which is not timed;"
          + " the one with the agent counts the arenas. It must end by itself with exit code 0,"
          + " reads no standard input, and must run on Java 25 or newer. The agent is added right"
          + " after 'java'; otherwise by the environment variable JDK_JAVA_OPTIONS, for any 'java'"
          + " that COMMAND starts.",
      "",
    })
public final class DemoCommand implements Runnable {
  /** How an agent begins what it says of a JVM that it does not know. */
  private static final String TOO_OLD = "[rockpool] needs Java ";

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--quick",
      description =
          "Take some 15 seconds; figures and garbage are only a first impression. Not with"
              + " COMMAND.")
  private boolean quick;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "How often to run COMMAND without and with the agent (default: 5).")
  private @Nullable Integer runs;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "The command line of a Java program.")
  private @Nullable List<String> command;

  @Override
  public void run() {
    int count = runs == null ? 5 : runs;
    if (command == null) {
      Misuse.unless(runs == null, "--runs goes with a COMMAND: say what to run after '--'");
    } else {
      Misuse.unless(!quick, "--quick is for the demo without COMMAND: for fewer runs, use --runs");
      Misuse.unless(count >= 1, "--runs must be at least 1: it is " + count);
    }
    OutputFile file = json.file();
    ComparisonTable table =
        command == null
            ? Workloads.ofCalls(quick, quick ? 1 : 3)
            : compare(new AgentRoute(command, Installation.agentJar()), count);
    table.print();
    file.writeJson(table.json());
  }

  private static ComparisonTable compare(AgentRoute route, int rounds) {
    Progress.note("rockpool: " + route.explanation());
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(2 * (1 + rounds))) {
      // Not timed. The one without shows whether the command works at all.
      progress.begin("first run without the agent");
      start(route, Side.WITHOUT, "", folder.path());
      progress.begin("first run with the agent");
      firstWith(route, folder.path()).errLines().stream()
          .filter(line -> line.startsWith(TOO_OLD))
          .findFirst()
          .ifPresent(
              line -> {
                throw new Misuse("COMMAND must run on Java 25 or newer: " + line);
              });
      Arenas arenas = Arenas.recorded(folder.path());
      Comparison comparison =
          Comparison.of(
              "whole process",
              rounds,
              side -> {
                progress.begin(side.toString());
                ChildProcess process = start(route, side, "", folder.path());
                progress.done(side + String.format(Locale.ROOT, ": %.3f s", process.seconds()));
                return Run.of(process.seconds(), checksum(process.out()));
              });
      return table(route, arenas, comparison);
    }
  }

  /** Records the run, to count arenas; but not if that is what makes it fail. */
  private static ChildProcess firstWith(AgentRoute route, Path folder) {
    String recording = "record=" + folder.resolve("%p.jfr");
    ChildProcess recorded =
        ChildProcess.run(route.with(recording), folder, "command", ChildProcess.NO_LIMIT);
    return recorded.exitCode() == 0 ? recorded : start(route, Side.WITH, "", folder);
  }

  private static ChildProcess start(AgentRoute route, Side side, String options, Path folder) {
    ProcessBuilder builder = side == Side.WITH ? route.with(options) : route.without();
    ChildProcess process = ChildProcess.run(builder, folder, "command", ChildProcess.NO_LIMIT);
    if (process.exitCode() != 0) {
      throw new CommandFailure(
          "The command must end with exit code 0: %s it ended with %s.\n%s"
              .formatted(side, process.exitCode(), process.errForMessage()));
    }
    return process;
  }

  /** Stands for a file's content, which may be large. */
  private static String checksum(Path file) {
    try (CheckedInputStream content =
        new CheckedInputStream(Files.newInputStream(file), new CRC32())) {
      return content.transferTo(OutputStream.nullOutputStream())
          + " bytes, "
          + content.getChecksum().getValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The confined arenas of all recorded JVMs.
   *
   * @param closed their number; -1 if there is no recording
   * @param small those of them that asked for memory, and surely fit a block of the pool
   */
  record Arenas(long closed, long small) {
    /** The break-even: with more, something else than the start makes a program slower. */
    private static final long MANY = 3_000_000;

    /** The histogram has one bucket for 512 bytes, which fit, and for up to twice as many. */
    private static final int LEAST_TOO_LARGE = 512;

    static Arenas recorded(Path folder) {
      Merge merge = new Merge();
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".jfr")).forEach(merge::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      var all = merge.figures().all();
      return merge.sources().isEmpty()
          ? new Arenas(-1, 0)
          : new Arenas(all.arenas(), all.totals().within(1, LEAST_TOO_LARGE - 1));
    }

    /** What they have to do with a clear difference. */
    private String reason(boolean isFaster) {
      boolean isReason = !isFaster && closed >= 0 && closed < MANY;
      return isReason ? ": too few confined arenas to pay back the agent's start" : "";
    }

    private String remark() {
      return closed < 0
          ? "The agent wrote no recording: perhaps it was not there at all."
          : closed == 0
              ? "The agent saw no confined arena: there is nothing to gain."
              : "The program's arenas were counted in a first run, with the agent.";
    }

    /** Their numbers in brackets, as the end of a sentence. */
    private String counts() {
      return closed < 0
          ? "."
          : String.format(
              Locale.ROOT,
              " (%,d confined arenas closed, %,d of them small enough for the pool).",
              closed,
              small);
    }
  }

  static ComparisonTable table(AgentRoute route, Arenas arenas, Comparison comparison) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("command", route.command());
    settings.put("agentThrough", route.isArgument() ? "argument" : AgentRoute.VARIABLE);
    if (arenas.closed >= 0) {
      settings.put("arenasClosed", arenas.closed);
      settings.put("arenasSmallEnough", arenas.small);
    }
    String output =
        comparison.isIdentical()
            ? "Standard output was identical in all runs, and each exit code 0."
            : comparison.isSteadyWithout()
                ? "Standard output DIFFERED with the agent."
                : "Standard output differs from run to run, without the agent too: not comparable.";
    String remarks =
        output
            + "\n"
            + arenas.remark()
            + "\n\nTimes are of whole processes: the agent makes the start of a JVM longer, and"
            + " arenas cheaper.\n";
    return new ComparisonTable(
        verdict(comparison, arenas), "command", "s", List.of(comparison), remarks, settings);
  }

  private static Headline verdict(Comparison comparison, Arenas arenas) {
    String change = comparison.change() + " with the agent";
    if (comparison.runs(Side.WITH).size() == 1) {
      return new Headline(Tone.NEITHER, "One run a side says little: " + change + arenas.counts());
    }
    if (!comparison.isClear()) {
      return new Headline(
          Tone.NEITHER,
          "No clear difference: "
              + change
              + " in the median, but the times overlap"
              + arenas.counts());
    }
    boolean isFaster = comparison.ratio() > 1;
    return new Headline(
        isFaster ? Tone.GOOD : Tone.BAD,
        "Clearly " + change + arenas.reason(isFaster) + arenas.counts());
  }
}
