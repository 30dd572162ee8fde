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
    StringBuilder page = new StringBuilder("# Commands\n\nThe help of each command.\n");
    CommandLine root = Main.commandLine();
    append(page, root);
    root.getSubcommands().values().forEach(command -> append(page, command));
    if (Boolean.getBoolean("commands.page.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).content().isEqualTo(page.toString());
  }

  private static void append(StringBuilder page, CommandLine command) {
    page.append("\n## ")
        .append(command.getCommandSpec().qualifiedName())
        .append("\n\n```text\n")
        .append(command.getUsageMessage(Ansi.OFF))
        .append("```\n");
  }
}
