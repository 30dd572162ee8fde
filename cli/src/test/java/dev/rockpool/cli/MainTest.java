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
          ''                    | Missing required subcommand                        | rockpool
          nonsense              | There is no subcommand 'nonsense'                  | rockpool
          --nonsense            | Unknown option: '--nonsense'                       | rockpool
          demo --nonsense       | Unknown option: '--nonsense'                       | rockpool demo
          demo --runs many      | Invalid value for option '--runs': 'many'          | rockpool demo
          demo --runs 3         | --runs goes with a COMMAND                         | rockpool demo
          demo --runs 0 -- java | --runs must be at least 1: it is 0                 | rockpool demo
          demo --quick -- java  | --quick is for the demo without COMMAND            | rockpool demo
          attach                | Missing required parameter: 'PID'                  | rockpool attach
          attach abc            | must be the number of a process: 'abc'             | rockpool attach
          attach 1 verbose more | Unmatched argument at index 3: 'more'              | rockpool attach
          scan                  | Missing required parameter: 'PATH'                 | rockpool scan
          scan /no/such.jar     | there is no /no/such.jar                           | rockpool scan
          scan @/no/such        | @FILE must be a text file with a PATH on each line | rockpool scan
          report                | Missing required parameter: 'FILE'                 | rockpool report
          example               | Missing required parameter: 'NAME'                 | rockpool example
          example a --rounds 0  | --rounds must be at least 1: it is 0               | rockpool example
          """)
  void refusesACommandLineThatMakesNoSense(String line, String rule, String helpOf) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ");

    assertThat(execute(args)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("rockpool: ")
        .contains(rule)
        .endsWith("Try './" + helpOf + " --help'.\n")
        .doesNotContain("\tat ");
  }

  @Test
  void takesEverythingAfterTheDashesAsTheCommand() {
    // Were --json ours, there would be a complaint about its folder.
    assertThat(execute("demo", "--", "/no/such/java", "--json", "/no/such/folder/file"))
        .isEqualTo(1);
    assertThat(err.toString()).doesNotContain("folder/file");
  }
}
