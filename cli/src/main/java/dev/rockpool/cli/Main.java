package dev.rockpool.cli;

import dev.rockpool.cli.attach.AttachCommand;
import dev.rockpool.cli.attach.DetachCommand;
import dev.rockpool.cli.attach.RecordCommand;
import dev.rockpool.cli.attach.StatusCommand;
import dev.rockpool.cli.bench.BenchCommand;
import dev.rockpool.cli.demo.DemoCommand;
import dev.rockpool.cli.demo.ExampleCommand;
import dev.rockpool.cli.pool.PoolCommand;
import dev.rockpool.cli.report.ReportCommand;
import dev.rockpool.cli.scan.ScanCommand;
import dev.rockpool.cli.top.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ScopeType;

/** The command line {@code ./rockpool}: its subcommands, and how failures are told. */
@Command(
    name = "rockpool",
    description = "Recycled native memory for Java.",
    subcommands = {
      DemoCommand.class,
      AttachCommand.class,
      DetachCommand.class,
      StatusCommand.class,
      TopCommand.class,
      RecordCommand.class,
      BenchCommand.class,
      ScanCommand.class,
      PoolCommand.class,
      ReportCommand.class,
      ExampleCommand.class,
      CompletionCommand.class,
      HelpCommand.class,
    },
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it worked",
      "1:what was asked for failed",
      "2:the command line makes no sense",
    })
public final class Main {
  private Main() {}

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    // Here, since all that the annotation says goes for the subcommands, too.
    commandLine
        .getCommandSpec()
        .usageMessage()
        .footer("%nShell completion: source <(./rockpool completion)");
    commandLine.setExpandAtFiles(false); // "scan @FILE" is for class paths: lines, not words
    commandLine.setParameterExceptionHandler(Failures::misused);
    commandLine.setExecutionExceptionHandler(Failures::failed);
    return commandLine;
  }
}
