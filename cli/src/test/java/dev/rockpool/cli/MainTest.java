package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
  private final StringWriter err = new StringWriter();

  private int execute(String... args) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nonsense              | There is no subcommand 'nonsense'                  | rockpool
          recrod 1              | Did you mean record?                               | rockpool
          statu 1               | Did you mean status?                               | rockpool
          --nonsense            | Unknown option: '--nonsense'                       | rockpool
          demo --nonsense       | Unknown option: '--nonsense'                       | rockpool demo
          demo --runz 3 -- java | Did you mean --runs?                               | rockpool demo
          demo --runs many      | Invalid value for option '--runs': 'many'          | rockpool demo
          demo --runs 3         | --runs goes with a COMMAND                         | rockpool demo
          demo --runs 0 -- java | --runs must be at least 1: it is 0                 | rockpool demo
          demo --quick -- java  | --quick is for the demo without COMMAND            | rockpool demo
          attach                | PID must be given:                                   | rockpool attach
          attach abc            | must be the number of a process: 'abc'             | rockpool attach
          attach 1 verbose more | Unmatched argument at index 3: 'more'              | rockpool attach
          detach                | PID must be given:                                   | rockpool detach
          status abc            | must be the number of a process: 'abc'             | rockpool status
          top 1 --count 0       | --count must be at least 1: it is 0                | rockpool top
          top 1 --interval 0s   | must be a number above 0 with its unit             | rockpool top
          top 1 --sort size     | must be one of [live, rate, bytes, name]: 'size'   | rockpool top
          record                | PID must be given:                                   | rockpool record
          record --duration 5 1 | such as 60s: '5'                                   | rockpool record
          record --duration s 1 | such as 60s: 's'                                   | rockpool record
          record --duration -1s 1 | such as 60s: '-1s'                               | rockpool record
          record --duration 1.xms 1 | such as 60s: '1.xms'                           | rockpool record
          record -o a,b.jfr 1   | -o must be a file without commas                   | rockpool record
          scan                  | Missing required parameter: 'PATH'                 | rockpool scan
          scan /no/such.jar     | there is no /no/such.jar                           | rockpool scan
          scan @/no/such        | @FILE must be a text file with a PATH on each line | rockpool scan
          pool -o b.jar         | Missing required parameter: 'PATH'                 | rockpool pool
          pool a.jar            | Missing required argument                          | rockpool pool
          pool a --in-place -o b | are mutually exclusive                            | rockpool pool
          report                | Missing required parameter: 'FILE'                 | rockpool report
          """)
  void refusesACommandLineThatMakesNoSense(String line, String rule, String helpOf) {
    assertThat(execute(line.split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("rockpool: ")
        .contains(rule)
        .endsWith("Try './" + helpOf + " --help'.\n")
        .doesNotContain("\tat ");
  }

  @Test
  void withoutArgumentsShowsTheCommands() {
    assertThat(execute()).isEqualTo(2);
    assertThat(err.toString()).startsWith("Usage: rockpool ").contains("  attach ", "  top ");
  }

  @Test
  void takesEverythingAfterTheDashesAsTheCommand() {
    // Were --json ours, there would be a complaint about its folder.
    assertThat(execute("demo", "--", "/no/such/java", "--json", "/no/such/folder/file"))
        .isEqualTo(1);
    assertThat(err.toString()).doesNotContain("folder/file");
  }
}
