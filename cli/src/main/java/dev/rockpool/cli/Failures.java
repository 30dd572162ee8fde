package dev.rockpool.cli;

import dev.rockpool.cli.support.CommandFailure;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** How failures are told: a line on standard error, and the exit code. */
final class Failures {
  private Failures() {}

  /** A command line that makes no sense: says which part, and where to read on; empty, the help. */
  static int misused(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    if (args.length == 0) {
      command.usage(err);
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    err.println("rockpool: " + message(failure));
    UnmatchedArgumentException.printSuggestions(failure, err);
    err.println("Try './" + command.getCommandSpec().qualifiedName() + " --help'.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String message(ParameterException failure) {
    return failure instanceof UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption()
            && !failure.getCommandLine().getSubcommands().isEmpty()
        ? "There is no subcommand '" + unmatched.getUnmatched().getFirst() + "'"
        : String.valueOf(failure.getMessage());
  }

  /**
   * Reports a command that failed. A {@link CommandFailure} was foreseen, and its message says all;
   * anything else is a mistake of ours, which needs its stack trace.
   */
  static int failed(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
    if (!(failure instanceof CommandFailure)) {
      throw failure;
    }
    command.getErr().println("rockpool: " + failure.getMessage());
    return command.getCommandSpec().exitCodeOnExecutionException();
  }
}
