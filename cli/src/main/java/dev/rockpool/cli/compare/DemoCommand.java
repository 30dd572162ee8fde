package dev.rockpool.cli.compare;

import dev.rockpool.cli.compare.AgentRoute.Notes;
import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rockpool demo}. */
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
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to FILE, as JSON, too.")
  private @Nullable Path json;

  @Option(
      names = "--quick",
      description =
          "Take some 15 seconds; the figures, garbage too, mean little. Not with COMMAND.")
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
    OutputFile file = OutputFile.checked(json, "JSON");
    ComparisonTable table =
        command == null
            ? Workloads.ofCalls(quick, quick ? 1 : 3)
            : compare(new AgentRoute(command, Installation.agentJar()), count);
    System.out.print(table.text());
    file.writeJson(table.json());
  }

  private static ComparisonTable compare(AgentRoute route, int rounds) {
    System.err.println("rockpool: " + route.explanation());
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(2 * (1 + rounds))) {
      // Not timed. The one without shows whether the command works at all.
      progress.begin("first run without the agent");
      start(route, Side.WITHOUT, "", folder.path());
      progress.begin("first run with the agent");
      ChildProcess first = firstWith(route, folder.path());
      Notes notes = Notes.in(first.errLines());
      OptionalLong arenas = arenasClosed(folder.path());
      Comparison comparison =
          Comparison.of(
              "whole process",
              rounds,
              side -> {
                progress.begin(side.toString());
                ChildProcess process = start(route, side, "", folder.path());
                progress.done(side + String.format(Locale.ROOT, ": %.3f s", process.seconds()));
                return Run.of(process.seconds(), digest(process.out()));
              });
      return table(route, notes, arenas, comparison);
    }
  }

  /** Records the run, to count arenas; but not if that is what makes it fail. */
  private static ChildProcess firstWith(AgentRoute route, Path folder) {
    ChildProcess recorded =
        ChildProcess.run(
            route.with("verbose,record=" + folder.resolve("%p.jfr")),
            folder,
            "command",
            ChildProcess.NO_LIMIT);
    return recorded.exitCode() == 0 ? recorded : start(route, Side.WITH, "verbose", folder);
  }

  /** Returns the confined arenas of all recorded JVMs; empty if there is no recording. */
  private static OptionalLong arenasClosed(Path folder) {
    Merge merge = new Merge();
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(file -> file.toString().endsWith(".jfr")).forEach(merge::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return merge.sources().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(merge.figures().all().arenas());
  }

  private static ChildProcess start(AgentRoute route, Side side, String options, Path folder) {
    ProcessBuilder builder = side == Side.WITH ? route.with(options) : route.without();
    ChildProcess process = ChildProcess.run(builder, folder, "command", ChildProcess.NO_LIMIT);
    if (process.exitCode() != 0) {
      boolean tooOld =
          side == Side.WITH
              && process.errLines().stream()
                  .anyMatch(line -> line.contains("UnsupportedClassVersionError: dev/rockpool/"));
      throw new CommandFailure(
          tooOld
              ? "The agent needs Java 25 or newer: an older one is started by " + route.command()
              : "The command must end with exit code 0: %s it ended with %s.\n%s"
                  .formatted(side, process.exitCode(), process.errForMessage()));
    }
    return process;
  }

  /** Stands for a file's content, which may be large. */
  private static String digest(Path file) {
    try (InputStream content = Files.newInputStream(file);
        DigestInputStream digest =
            new DigestInputStream(content, MessageDigest.getInstance("SHA-256"))) {
      digest.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.getMessageDigest().digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static ComparisonTable table(
      AgentRoute route, Notes notes, OptionalLong arenas, Comparison comparison) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("command", route.command());
    settings.put("agentThrough", route.isArgument() ? "argument" : AgentRoute.VARIABLE);
    settings.put("agentPresent", notes.present());
    settings.put("callSitesRewritten", notes.callSites());
    if (arenas.isPresent()) {
      settings.put("arenasClosed", arenas.getAsLong());
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
            + notes
            + "\n\nTimes are of whole processes: the agent makes the start of a JVM longer, and"
            + " arenas cheaper.\n";
    return new ComparisonTable(
        verdict(comparison, arenas), "command", "s", List.of(comparison), remarks, settings);
  }

  private static String verdict(Comparison comparison, OptionalLong arenas) {
    String change = comparison.change() + " with the agent";
    if (comparison.with().size() == 1) {
      return "One run a side says little: " + change + ".";
    }
    if (!comparison.isClear()) {
      return "No clear difference: " + change + " in the median, but the times overlap.";
    }
    if (comparison.ratio() > 1) {
      return "Clearly " + change + ".";
    }
    String closed =
        arenas.isEmpty()
            ? "the arenas"
            : String.format(Locale.ROOT, "%,d confined arenas", arenas.getAsLong());
    return "Clearly " + change + ": " + closed + " are too few to pay back its start.";
  }
}
