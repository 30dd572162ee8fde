package dev.rockpool.cli.demo;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs somebody's command without and with the agent, by turns. */
final class CommandDemo {
  private final AgentRoute route;
  private final ScratchFolder folder;
  private final Progress progress;

  private CommandDemo(AgentRoute route, ScratchFolder folder, Progress progress) {
    this.route = route;
    this.folder = folder;
    this.progress = progress;
  }

  static void run(List<String> command, int runs, @Nullable JsonFile json) {
    if (json != null) {
      json.check();
    }
    AgentRoute route = new AgentRoute(command, Installation.agentJar());
    System.err.println("rockpool: " + route.explanation());
    CommandReport report;
    try (ScratchFolder folder = ScratchFolder.create();
        Progress progress = Progress.of(2 * (1 + runs))) {
      report = new CommandDemo(route, folder, progress).compare(runs);
    }
    System.out.print(report.toText());
    if (json != null) {
      json.write(report.toJson());
    }
  }

  private CommandReport compare(int runs) {
    // Not counted. The one without shows whether the command works at all.
    progress.begin("first run without the agent");
    start("first", Side.WITHOUT, route.without());
    progress.begin("first run with the agent");
    ChildProcess first = start("first", Side.WITH, route.withVerbose());
    CommandComparison comparison = new CommandComparison(runs);
    for (int run = 0; run < runs; run++) {
      for (Side side : Side.values()) {
        progress.begin(side.toString());
        ProcessBuilder builder = side == Side.WITHOUT ? route.without() : route.with();
        ChildProcess process = start(side.name() + run, side, builder);
        progress.done(side + ": " + CommandReport.format(process.seconds()));
        comparison.add(side, run, process);
      }
    }
    return new CommandReport(route, AgentNotes.in(first.errLines()), comparison);
  }

  private ChildProcess start(String name, Side side, ProcessBuilder builder) {
    ChildProcess process = ChildProcess.run(builder, folder.path(), name, ChildProcess.NO_LIMIT);
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
}
