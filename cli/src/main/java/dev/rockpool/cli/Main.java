package dev.rockpool.cli;

import dev.rockpool.cli.attach.AttachCommand;
import dev.rockpool.cli.attach.RecordCommand;
import dev.rockpool.cli.attach.StatusCommand;
import dev.rockpool.cli.compare.DemoCommand;
import dev.rockpool.cli.compare.ExampleCommand;
import dev.rockpool.cli.pool.PoolCommand;
import dev.rockpool.cli.report.ReportCommand;
import dev.rockpool.cli.scan.ScanCommand;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.top.TopCommand;
import java.io.PrintWriter;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line {@code ./rockpool}: its subcommands, and how failures are told. */
@Command(
    name = "rockpool",
    description = "Recycled native memory for Java.",
    subcommands = {
      DemoCommand.class,
      AttachCommand.class,
      AttachCommand.Detach.class,
      StatusCommand.class,
      TopCommand.class,
      RecordCommand.class,
      ScanCommand.class,
      PoolCommand.class,
      ReportCommand.class,
      ExampleCommand.class,
      Main.Completion.class,
      HelpCommand.class,
    },
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private Main() {}

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String[] args) {
    int exitCode = commandLine().execute(args);
    boolean isLost = System.out.checkError(); // the disk is full, or nobody reads
    System.exit(exitCode == 0 && isLost ? 1 : exitCode);
  }

  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    // Not in the annotation, which is for the subcommands, too.
    commandLine
        .getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes, unless a command lists its own:%n")
        .exitCodeList(
            UsageMessageSpec.keyValuesMap(
                "0:it worked", "1:what was asked for failed", "2:the command line makes no sense"))
        .footer(
            (Installation.isRelease() ? "" : "%nBenchmarks: ./rockpool bench --help")
                + "%nShell completion: source <(./rockpool completion)");
    // The script of a release refuses examples, which need the sources.
    commandLine
        .getSubcommands()
        .forEach(
            (name, command) ->
                command
                    .getCommandSpec()
                    .usageMessage()
                    .hidden(Installation.isRelease() && name.equals("example")));
    commandLine.setExpandAtFiles(false); // "scan @FILE" is for class paths: lines, not words
    commandLine.setParameterExceptionHandler(Main::misused);
    commandLine.setExecutionExceptionHandler((failure, command, _) -> failed(failure, command));
    return commandLine;
  }

  /** Prints the help for an empty command line. */
  private static int misused(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    if (args.length == 0) {
      command.usage(err);
    } else {
      err.println("rockpool: " + message(failure));
      if (isCommandWithoutDashes(failure, command, args)) {
        err.println("Put the program's command line behind --: for example, -- java -jar app.jar");
      }
      UnmatchedArgumentException.printSuggestions(failure, err);
      tryHelp(command);
    }
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static boolean isCommandWithoutDashes(
      ParameterException failure, CommandLine command, String[] args) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)
        || List.of(args).contains("--")) {
      return false;
    }
    int first = List.of(args).indexOf(unmatched.getUnmatched().getFirst());
    return first > 1
        && !args[first - 1].startsWith("-")
        && command.getCommandSpec().positionalParameters().stream()
            .anyMatch(parameter -> parameter.paramLabel().matches(".*CMD|COMMAND"));
  }

  private static String message(ParameterException failure) {
    return failure instanceof UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption()
            && !failure.getCommandLine().getSubcommands().isEmpty()
        ? "There is no subcommand '" + unmatched.getUnmatched().getFirst() + "'"
        : String.valueOf(failure.getMessage());
  }

  private static void tryHelp(CommandLine command) {
    command.getErr().println("Try './" + command.getCommandSpec().qualifiedName() + " --help'.");
  }

  /**
   * Reports a command that failed. A {@link CommandFailure} was foreseen, and its message says all;
   * anything else is a mistake of ours, which needs its stack trace.
   */
  private static int failed(Exception failure, CommandLine command) throws Exception {
    if (!(failure instanceof CommandFailure)) {
      throw failure;
    }
    command.getErr().println("rockpool: " + failure.getMessage());
    if (failure instanceof Misuse) {
      tryHelp(command);
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"rockpool " + Installation.version(), Host.jdk()};
    }
  }

  @Command(
      name = "completion",
      header = "Print a script that completes commands in bash and zsh.",
      description = {"", "For this shell: source <(./rockpool completion)", ""})
  static final class Completion implements Runnable {
    @Override
    public void run() {
      System.out.print(AutoComplete.bash("rockpool", commandLine()));
    }
  }
}
