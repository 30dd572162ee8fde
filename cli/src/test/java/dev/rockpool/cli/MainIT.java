package dev.rockpool.cli;

import static dev.rockpool.cli.CommandLineJar.command;
import static dev.rockpool.cli.CommandLineJar.rockpool;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainIT {
  @TempDir private Path folder;

  @Test
  void helps() throws IOException {
    Outcome outcome = rockpool("--help");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out())
        .startsWith("Usage: rockpool ")
        .contains(
            "  demo ",
            "  attach ",
            "  scan ",
            "  completion ",
            "Exit codes, unless a command lists its own:");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void knowsItsVersion() throws IOException {
    Outcome outcome = rockpool("--version");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out()).matches("(?s)rockpool \\d+\\.\\d+\\.\\d+\\S*\\RJDK \\d+.*\\R");
  }

  /** Files of no bytes stand for a full disk. */
  @Test
  void leavesNoFileThatItCannotFill() throws IOException, InterruptedException {
    Path json = folder.resolve("out.json");
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -f 0; exec \"$0\" \"$@\""));
    command.addAll(
        command("scan", System.getProperty("rockpool.cli.jar"), "--json", json.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();

    assertThat(process.inputReader().lines())
        .contains("rockpool: Cannot write " + json + ": File too large");
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(json).doesNotExist();
  }

  @Test
  void failsWhereItsOutputIsLost() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command("--version")).redirectOutput(new File("/dev/full")).start();

    assertThat(process.waitFor()).isEqualTo(1);
  }

  /** A name out of a jar or a recording must not steer the terminal of whoever looks at it. */
  @Test
  void printsNoControlCharacters() throws IOException {
    Outcome outcome = rockpool("scan", "/no/\u001b]2;title\u0007\u009b31m\rsuch\u202e.jar");

    assertThat(outcome.err())
        .contains("there is no /no/?]2;title??31m?such?.jar\n")
        .doesNotContainPattern("[\\p{Cc}&&[^\n]]");
  }

  /** {@code script} runs it on a pseudo terminal. */
  @ParameterizedTest
  @CsvSource({"false, true", "true, false"})
  void helpHasColoursWhereTheyAreWanted(boolean noColor, boolean expected)
      throws IOException, InterruptedException {
    String command = String.join(" ", command("scan", "--help"));
    ProcessBuilder builder = new ProcessBuilder("script", "-qec", command, "/dev/null");
    builder.environment().put("TERM", "xterm");
    builder.environment().remove("NO_COLOR");
    if (noColor) {
      builder.environment().put("NO_COLOR", "1");
    }
    Process help = builder.start();

    assertThat(new String(help.getInputStream().readAllBytes(), UTF_8).contains("\u001b["))
        .isEqualTo(expected);
    assertThat(help.waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "./rockpool st       | status",
        "./rockpool ''       | completion",
        "rockpool record --d | --duration",
        "rockpool scan --s   | --sites",
        "rockpool top --so   | --sort"
      })
  void bashCompletesCommandsAndOptions(String line, String expected)
      throws IOException, InterruptedException {
    Outcome outcome = rockpool("completion");
    assertThat(outcome.exitCode()).isEqualTo(0);
    Path script = Files.writeString(folder.resolve("completion.bash"), outcome.out());
    String[] words = line.replace("''", "").split(" ", -1);
    String complete =
        """
        source "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        $(complete -p rockpool | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    List<String> command = new ArrayList<>(List.of("bash", "-c", complete, script.toString()));
    command.addAll(List.of(words));
    Process bash = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    assertThat(bash.inputReader().lines().map(String::strip)).contains(expected);
    assertThat(bash.waitFor()).isEqualTo(0);
  }

  /** Copies the script beside no jar at all, so that it would have to build one. */
  private Path scriptThatWouldBuild() throws IOException {
    Path home = Path.of(System.getProperty("rockpool.home"));
    Files.createDirectory(folder.resolve("docs"));
    Files.copy(home.resolve("docs/commands.md"), folder.resolve("docs/commands.md"));
    return Files.copy(home.resolve("rockpool"), folder.resolve("rockpool"));
  }

  @Test
  void theScriptChecksNamesBeforeItBuilds() throws IOException, InterruptedException {
    Process script = new ProcessBuilder(scriptThatWouldBuild().toString(), "nonsense").start();

    assertThat(new String(script.getErrorStream().readAllBytes(), UTF_8))
        .startsWith("rockpool: there is no command \"nonsense\"");
    assertThat(script.waitFor()).isEqualTo(2);
    assertThat(folder.resolve("target")).doesNotExist();
  }

  /** The command is JMH's, which knows nothing of ours. */
  @ParameterizedTest
  @ValueSource(strings = {"bench --help", "bench -h", "help bench"})
  void thePageHasTheHelpOfBench(String line) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(scriptThatWouldBuild().toString()));
    command.addAll(List.of(line.split(" ")));
    Process script = new ProcessBuilder(command).start();

    assertThat(new String(script.getInputStream().readAllBytes(), UTF_8))
        .startsWith("Usage: rockpool bench [JMH_OPTION...]")
        .endsWith("(default: 7).\n");
    assertThat(script.waitFor()).isZero();
    assertThat(folder.resolve("target")).doesNotExist();
  }

  @Test
  void helpOfTheScriptNeedsNoBuild() throws IOException, InterruptedException {
    Path copy = scriptThatWouldBuild();
    for (String[] args :
        new String[][] {{"scan", "--help"}, {"help", "scan"}, {"--help"}, {"-h"}, {}}) {
      Outcome expected = rockpool(args);
      List<String> command = new ArrayList<>(List.of(copy.toString()));
      command.addAll(List.of(args));
      Process script = new ProcessBuilder(command).start();
      assertThat(new String(script.getInputStream().readAllBytes(), UTF_8))
          .isEqualTo(
              List.of(args).contains("scan")
                  ? CommandsPageTest.withoutRepeats(expected.out())
                  : expected.out());
      assertThat(new String(script.getErrorStream().readAllBytes(), UTF_8))
          .isEqualTo(expected.err());
      assertThat(script.waitFor())
          .isEqualTo(expected.exitCode())
          .isEqualTo(args.length > 0 ? 0 : 2);
    }
    assertThat(folder.resolve("target")).doesNotExist();
  }
}
