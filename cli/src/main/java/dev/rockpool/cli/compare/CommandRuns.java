package dev.rockpool.cli.compare;

import dev.rockpool.cli.compare.AgentRoute.Notes;
import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
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

/** Somebody's command without and with the agent: whole processes, and what they print. */
record CommandRuns(AgentRoute route, Path folder) {
  static ComparisonTable compare(List<String> command, int rounds) {
    AgentRoute route = new AgentRoute(command, Installation.agentJar());
    System.err.println("rockpool: " + route.explanation());
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(2 * (1 + rounds))) {
      CommandRuns runs = new CommandRuns(route, folder.path());
      // Not counted. The one without shows whether the command works at all.
      progress.begin("first run without the agent");
      runs.start(Side.WITHOUT, "");
      progress.begin("first run with the agent");
      Notes notes = Notes.in(runs.start(Side.WITH, "verbose").errLines());
      Comparison comparison =
          Comparison.of(
              "whole process",
              rounds,
              side -> {
                progress.begin(side.toString());
                ChildProcess process = runs.start(side, "");
                progress.done(side + String.format(Locale.ROOT, ": %.3f s", process.seconds()));
                return Run.of(process.seconds(), digest(process.out()));
              });
      return table(route, notes, comparison);
    }
  }

  private ChildProcess start(Side side, String options) {
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
              : "The command must end with exit code 0: "
                  + side
                  + " it ended with "
                  + process.exitCode()
                  + ".\n"
                  + process.errForMessage());
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

  static ComparisonTable table(AgentRoute route, Notes notes, Comparison comparison) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("command", route.command());
    settings.put("agentThrough", route.isArgument() ? "argument" : AgentRoute.VARIABLE);
    settings.put("agentPresent", notes.present());
    settings.put("callSitesRewritten", notes.callSites());
    String output =
        comparison.isIdentical()
            ? "Standard output was identical in all runs, and each exit code 0."
            : comparison.isSteadyWithout()
                ? "Standard output DIFFERED with the agent."
                : "Standard output differs from run to run, without the agent too: not comparable.";
    return new ComparisonTable(
        "command",
        "s",
        List.of(comparison),
        List.of(),
        output
            + "\n"
            + notes
            + "\n\nTimes are of whole processes, most of which C2 has not compiled yet: the agent"
            + " makes the start of a JVM longer, the calls shorter.\n"
            + "A difference means something if it is larger than those between runs of one side.\n",
        settings);
  }
}
