package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.Main;
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
    "--soak=abc, --soak must be a number of minutes from 0.01 to 100000: --soak=abc",
    "--soak=0, --soak must be a number of minutes from 0.01 to 100000: --soak=0",
    "--soak=-1, --soak must be a number of minutes from 0.01 to 100000: --soak=-1",
    "--soak=1e3, --soak must be a number of minutes from 0.01 to 100000: --soak=1e3",
    "--soak=100000.1, --soak must be a number of minutes from 0.01 to 100000: --soak=100000.1",
    "--soak=1 --quick --out=x, 'of the other options only --jdk goes with it: --quick, --out'",
    "--mode=none, Invalid value for option '--mode' (MODE)",
    "--quack, Unknown option: '--quack'"
  })
  void refusesACommandLineThatMakesNoSense(String arguments, String rule) {
    StringWriter err = new StringWriter();
    CommandLine commandLine = Main.commandLine().setErr(new PrintWriter(err));

    assertThat(commandLine.execute(("bench " + arguments).split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(rule);
  }
}
