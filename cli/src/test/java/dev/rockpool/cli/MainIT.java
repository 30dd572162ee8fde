package dev.rockpool.cli;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainIT {
  @TempDir private Path folder;

  @Test
  void helps() throws IOException {
    Outcome outcome = rockpool("--help");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out())
        .startsWith("Usage: rockpool ")
        .contains("  demo ", "  attach ", "  scan ", "  generate-completion ", "Exit codes:");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void knowsItsVersion() throws IOException {
    Outcome outcome = rockpool("--version");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out()).matches("(?s)rockpool \\d+\\.\\d+\\.\\d+\\S*\\RJDK \\d+.*\\R");
  }

  @Test
  void scansItself() throws IOException {
    Outcome outcome = rockpool("scan", "--sites", System.getProperty("rockpool.cli.jar"));
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out()).contains("rockpool-cli.jar", "confined: try-with-resources");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void refusesAnUnknownOptionInAFewWords() throws IOException {
    Outcome outcome = rockpool("demo", "--nonsense");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .containsExactly("rockpool: Unknown option: '--nonsense'", "Try './rockpool demo --help'.");
  }

  @Test
  void generatesCompletionThatBashAccepts() throws IOException, InterruptedException {
    Outcome outcome = rockpool("generate-completion");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out()).contains("demo", "attach", "scan", "--sites", "--json");
    Path script = Files.writeString(folder.resolve("completion.bash"), outcome.out());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
    assertThat(bash.waitFor()).isEqualTo(0);
  }
}
