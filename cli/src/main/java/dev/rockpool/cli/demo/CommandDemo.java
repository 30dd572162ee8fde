package dev.rockpool.cli.demo;

import static dev.rockpool.cli.support.Statistics.threeDigits;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.demo.Comparison.Run;
import dev.rockpool.cli.demo.Comparison.Unit;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.TextTable;
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
import java.util.List;
import java.util.Locale;

/** Somebody's command without and with the agent: whole processes, and what they print. */
final class CommandDemo {
  private final AgentRoute route;
  private final ScratchFolder folder;

  private CommandDemo(AgentRoute route, ScratchFolder folder) {
    this.route = route;
    this.folder = folder;
  }

  static Report run(List<String> command, int runs) {
    AgentRoute route = new AgentRoute(command, Installation.agentJar());
    System.err.println("rockpool: " + route.explanation());
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(2 * (1 + runs))) {
      return new CommandDemo(route, folder).compare(runs, progress);
    }
  }

  private Report compare(int runs, Progress progress) {
    // Not counted. The one without shows whether the command works at all.
    progress.begin("first run without the agent");
    start(Side.WITHOUT, "");
    progress.begin("first run with the agent");
    AgentRoute.Notes notes = AgentRoute.Notes.in(start(Side.WITH, "verbose").errLines());
    Comparison comparison =
        Comparison.of(
            "command",
            Unit.PROCESS,
            runs,
            side -> {
              progress.begin(side.toString());
              ChildProcess process = start(side, "");
              progress.done(side + ": " + format(process.seconds()));
              return Run.of(process.seconds(), digest(process.out()));
            });
    return report(route, notes, comparison);
  }

  private ChildProcess start(Side side, String options) {
    ProcessBuilder builder = side == Side.WITH ? route.with(options) : route.without();
    ChildProcess process =
        ChildProcess.run(builder, folder.path(), "command", ChildProcess.NO_LIMIT);
    if (process.exitCode() != 0) {
      throw new CommandFailure(failure(process, side));
    }
    return process;
  }

  private String failure(ChildProcess process, Side side) {
    boolean tooOld =
        side == Side.WITH
            && process.errLines().stream()
                .anyMatch(line -> line.contains("UnsupportedClassVersionError: dev/rockpool/"));
    return tooOld
        ? "The agent needs Java 25 or newer: an older one is started by " + route.command()
        : "The command must end with exit code 0: "
            + side
            + " it ended with "
            + process.exitCode()
            + ".\n"
            + process.errForMessage();
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

  private static String format(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }

  static Report report(AgentRoute route, AgentRoute.Notes notes, Comparison comparison) {
    TextTable table = new TextTable("whole process", "without", "with", "ratio");
    table.row(
        "median of " + comparison.with().size(),
        format(comparison.time(Side.WITHOUT)),
        format(comparison.time(Side.WITH)),
        threeDigits(comparison.ratio()) + "x");
    double fastestWithout = comparison.fastest(Side.WITHOUT);
    double fastestWith = comparison.fastest(Side.WITH);
    table.row(
        "fastest",
        format(fastestWithout),
        format(fastestWith),
        threeDigits(fastestWithout / fastestWith) + "x");
    table.row("exit code", "0", "0", "");
    String explanation =
        output(comparison)
            + "\n"
            + notes
            + "\n\n"
            + Host.os()
            + ", "
            + Host.cpu()
            + "\n\n"
            + "Times are of whole processes: the agent makes the start of a JVM longer, the calls"
            + " shorter.\n"
            + "A difference means something if it is larger than those between runs of one side.\n";
    JsonObject json = JsonFile.measuredHere();
    JsonArray command = new JsonArray();
    route.command().forEach(command::add);
    json.add("command", command);
    json.addProperty("agentThrough", route.isArgument() ? "argument" : AgentRoute.VARIABLE);
    json.addProperty("agentPresent", notes.present());
    json.addProperty("callSitesRewritten", notes.callSites());
    comparison.toJson().asMap().forEach(json::add);
    return new Report(List.of(table), explanation, json);
  }

  private static String output(Comparison comparison) {
    if (comparison.isIdentical()) {
      return "Standard output was identical in all runs.";
    }
    return comparison.isSteadyWithout()
        ? "Standard output DIFFERED with the agent."
        : "Standard output differs from run to run, without the agent too: not comparable.";
  }
}
