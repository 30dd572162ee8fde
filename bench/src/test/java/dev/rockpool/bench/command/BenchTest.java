package dev.rockpool.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class BenchTest {
  static {
    System.setProperty("jmh.ignoreLock", "true"); // read when JMH's classes are loaded
  }

  private static final Path PAGE = Path.of("../docs/commands.md");
  private static final String HEADING = "\n## rockpool bench\n";

  @ParameterizedTest
  @CsvSource({
    "--filter=(, Invalid value for option '--filter'",
    "--sweep --filter=x, --sweep says what to measure: without --filter",
    "--jdk=/no/such, --jdk must be the folder of a JDK: there is no /no/such/release",
    "'--mode=none', 'must be one of [platform, agent, virtual, virtual-opened, virtual-agent]: '",
    "--quack, Unknown option: '--quack'",
    "--start --sweep, --start and --load measure programs",
    "--load --filter=nobody, There is no program in whose name --filter=nobody is found",
    "--filter=nobody, There is no benchmark in whose name --filter=nobody is found",
    "-- -quack, Option of JMH: "
  })
  void refusesACommandLineThatMakesNoSense(String arguments, String rule) {
    StringWriter err = new StringWriter();
    CommandLine commandLine = Bench.commandLine().setErr(new PrintWriter(err));

    assertThat(commandLine.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith("rockpool: ").contains(rule);
  }

  /** The last section of the page; {@code -Dcommands.page.write=true} writes it. */
  @Test
  void pageOfCommandsHasTheHelp() throws IOException {
    String help =
        Bench.commandLine()
            .getUsageMessage(Ansi.OFF)
            .replaceAll("(?m)^  -(h, --help|V, --version) .*\n", "");
    String page = Files.readString(PAGE);
    String others = page.contains(HEADING) ? page.substring(0, page.indexOf(HEADING)) : page;
    String expected = others + HEADING + "\n```text\n" + help + "```\n";
    if (Boolean.getBoolean("commands.page.write")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(PAGE).content().isEqualTo(expected);
  }
}
