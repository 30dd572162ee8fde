package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
  @ParameterizedTest
  @CsvSource({
    "--filter=(, --filter must be a regular expression: ",
    "--jdk=/no/such/folder, is not a JDK: there is no ",
    "--jdk, Missing required parameter for option '--jdk' (HOME)",
    "--out, Missing required parameter for option '--out' (DIR)",
    "--quack, Unknown option: '--quack'"
  })
  void refusesACommandLineThatMakesNoSense(String argument, String rule) {
    StringWriter err = new StringWriter();
    CommandLine commandLine = new CommandLine(new BenchCommand()).setErr(new PrintWriter(err));

    assertThat(commandLine.execute(argument)).isEqualTo(2);
    assertThat(err.toString()).contains(rule);
  }
}
