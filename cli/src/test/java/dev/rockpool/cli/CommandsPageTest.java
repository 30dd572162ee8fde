package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The page of commands has the help of each command. {@code -Dcommands.page.write=true} writes the
 * page. Its last section is about {@code bench}, a command of JMH's, and written by hand.
 */
class CommandsPageTest {
  private static final Path PAGE = Path.of("../docs/commands.md");

  private static final String BENCH = "\n## rockpool bench\n";

  /** Commands of which the help of {@code rockpool} says all. */
  private static final Set<String> EXPLAINED_BY_ROOT = Set.of("completion", "help");

  @Test
  void pageHasTheHelpOfEachCommand() throws IOException {
    StringBuilder page =
        new StringBuilder(
            "# Commands\n\n"
                + "This is the help of each command. Each also has options `-h` and `-V`, and all"
                + " but `bench` have `-q`.\n\n"
                + "Names from jars, recordings and other processes may have control characters. On"
                + " standard output and error,\nin pages and in CSV a `?` stands for each, JSON has"
                + " them as escapes (texts of MBeans: `?`), and other\nfiles have the names as they"
                + " are.\n\n"
                + "Guides have examples of output: [demo, record and report](quick-start.md),"
                + " [status](production.md#does-it-work),\n[top](finding-a-leak.md#watch-it-live),"
                + " [scan](scan.md#what-the-agent-pools).\n");
    CommandLine root = Main.commandLine();
    append(page, root.getCommandSpec().qualifiedName(), root.getUsageMessage(Ansi.OFF));
    root.getSubcommands()
        .forEach(
            (name, command) -> {
              if (!EXPLAINED_BY_ROOT.contains(name)) {
                append(
                    page,
                    command.getCommandSpec().qualifiedName(),
                    withoutRepeats(command.getUsageMessage(Ansi.OFF)));
              }
            });
    String written = Files.readString(PAGE);
    int bench = written.indexOf(BENCH);
    page.append(bench < 0 ? BENCH : written.substring(bench));
    if (Boolean.getBoolean("commands.page.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).content().isEqualTo(page.toString());
  }

  /** Leaves out the header, which the first help lists, and the options that each command has. */
  static String withoutRepeats(String usage) {
    return usage
        .substring(usage.indexOf("Usage:"))
        .replace(" [-hqV]", "")
        .replaceAll("(?m)^  -(h, --help|q, --quiet|V, --version) .*\n", "");
  }

  private static void append(StringBuilder page, String name, String usage) {
    page.append("\n## ").append(name).append("\n\n```text\n").append(usage).append("```\n");
  }
}
