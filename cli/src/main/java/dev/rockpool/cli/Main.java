package dev.rockpool.cli;

import dev.rockpool.cli.attach.AttachCommand;
import dev.rockpool.cli.attach.LimitCommand;
import dev.rockpool.cli.attach.RecordCommand;
import dev.rockpool.cli.attach.StatusCommand;
import dev.rockpool.cli.compare.DemoCommand;
import dev.rockpool.cli.pool.PoolCommand;
import dev.rockpool.cli.report.ReportCommand;
import dev.rockpool.cli.scan.ScanCommand;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.TerminalText;
import dev.rockpool.cli.top.TopCommand;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line {@code ./rockpool}: its subcommands, and how failures are told. */
@Command(
    name = "rockpool",
    description = "Native memory of Java programs: cheap, bounded and visible.",
    subcommands = {
      DemoCommand.class,
      AttachCommand.class,
      AttachCommand.Detach.class,
      StatusCommand.class,
      TopCommand.class,
      LimitCommand.class,
      RecordCommand.class,
      ScanCommand.class,
      PoolCommand.class,
      ReportCommand.class,
      Main.Completion.class,
      HelpCommand.class,
    },
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private Main() {}

  @Option(
      names = {"-q", "--quiet"},
      description = "Print results and errors only.",
      scope = ScopeType.INHERIT)
  void setQuiet(boolean quiet) {
    Progress.setQuiet(quiet);
  }

  public static void main(String[] args) {
    TerminalText.filter();
    CommandLine commandLine = commandLine();
    commandLine.setOut(
        new PrintWriter(
            TerminalText.RAW_OUT,
            true,
            TerminalText.RAW_OUT.charset())); // help is ours, and has colours
    commandLine.setErr(new PrintWriter(System.err, true, System.err.charset()));
    int exitCode = commandLine.execute(args);
    System.out.flush();
    boolean isLost = TerminalText.RAW_OUT.checkError(); // the disk is full, or nobody reads
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
            (Installation.isRelease()
                    ? ""
                    : "%nBenchmarks: ./rockpool bench --help%nInstall what a build lacks, then run"
                        + " a command: ./rockpool --install demo")
                + "%nShell completion: source <(./rockpool completion)");
    for (CommandLine command : commandLine.getSubcommands().values()) {
      command.getCommandSpec().args().stream()
          .flatMap(option -> Arrays.stream(option.auxiliaryTypes()))
          .filter(Class::isEnum)
          .forEach(type -> nameValuesOnce(command, type));
    }
    commandLine.setExpandAtFiles(false); // "scan @FILE" is for class paths: lines, not words
    commandLine.setParameterExceptionHandler(Main::misused);
    commandLine.setExecutionExceptionHandler((failure, command, _) -> failed(failure, command));
    return commandLine;
  }

  /** Has messages about an enum name its constants as the help does; picocli's say all twice. */
  private static <T> void nameValuesOnce(CommandLine command, Class<T> type) {
    Map<String, T> values = new LinkedHashMap<>();
    for (T value : type.getEnumConstants()) {
      values.put(((Enum<?>) value).name().toLowerCase(Locale.ROOT), value);
    }
    command.registerConverter(
        type,
        text ->
            Optional.ofNullable(values.get(text.toLowerCase(Locale.ROOT)))
                .orElseThrow(
                    () ->
                        new TypeConversionException(
                            "must be one of " + values.keySet() + ": '" + text + "'")));
  }

  /** Prints the help for an empty command line. */
  private static int misused(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    if (args.length == 0) {
      command.usage(err, Ansi.OFF);
    } else {
      err.println("rockpool: " + message(failure));
      if (failure instanceof UnmatchedArgumentException unmatched) {
        if (isCommandWithoutDashes(unmatched, command, args)) {
          err.println(
              "Put the program's command line behind --: for example, -- java -jar app.jar");
        }
        unmatched.getSuggestions().stream()
            .findFirst()
            .ifPresent(name -> err.println("Did you mean " + name + "?"));
      }
      tryHelp(command);
    }
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static boolean isCommandWithoutDashes(
      UnmatchedArgumentException unmatched, CommandLine command, String[] args) {
    if (List.of(args).contains("--")) {
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
    String help = command.getCommandSpec().qualifiedName() + " --help";
    command.getErr().println("Try '" + help.replace("rockpool", Installation.command()) + "'.");
  }

  /**
   * Reports a command that failed. A {@link CommandFailure} was foreseen, and its message says all;
   * anything else is a mistake of ours, which needs its stack trace.
   */
  private static int failed(Exception failure, CommandLine command) {
    if (!(failure instanceof CommandFailure)) {
      failure.printStackTrace(command.getErr());
      return command.getCommandSpec().exitCodeOnExecutionException();
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
