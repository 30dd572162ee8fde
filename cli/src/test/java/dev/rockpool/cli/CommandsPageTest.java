package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The page of commands has the help of each command. {@code -Dcommands.page.write=true} writes the
 * page.
 */
class CommandsPageTest {
  private static final Path PAGE = Path.of("../docs/commands.md");

  @Test
  void pageHasTheHelpOfEachCommand() throws IOException {
    CommandLine root = Main.commandLine();
    StringBuilder page =
        new StringBuilder("# Commands\n\nThe help of each command, without what all share:\n");
    String shared = root.getUsageMessage(Ansi.OFF);
    append(page, root, shared);
    root.getSubcommands()
        .values()
        .forEach(command -> append(page, command, withoutShared(command, shared)));
    if (Boolean.getBoolean("commands.page.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).content().isEqualTo(page.toString());
  }

  /** Leaves out options -h and -V, and the exit codes if they are those of {@code shared}. */
  private static String withoutShared(CommandLine command, String shared) {
    String exitCodes = shared.substring(shared.indexOf("\nExit codes:"));
    exitCodes = exitCodes.substring(0, exitCodes.indexOf("\n\n") + 1);
    String help = command.getUsageMessage(Ansi.OFF);
    return help.replace(exitCodes, "").replaceAll("(?m)^ +-[hV], --.*\\R", "");
  }

  private static void append(StringBuilder page, CommandLine command, String help) {
    page.append("\n## ")
        .append(command.getCommandSpec().qualifiedName())
        .append("\n\n```text\n")
        .append(help)
        .append("```\n");
  }
}
