package dev.rockpool.cli.scan;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.Installation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The class path of a JVM that runs. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScanRunningIT {
  private static final Path CORPUS = Path.of("target", "corpus").toAbsolutePath();
  private static final String JAR = "jline-terminal-ffm-4.5.0.jar";

  @TempDir private Path folder;

  private Process process;

  /** A JVM, in the working directory {@code folder}, that has started and waits for input. */
  private void start(String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(Installation.java().toString()));
    command.addAll(List.of(options));
    command.add("dev.rockpool.cli.attach.ArenaPerLine");
    process = new ProcessBuilder(command).directory(folder.toFile()).start();
    assertThat(process.inputReader().readLine()).isNotNull();
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private Outcome scan(String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("scan", "--pid", "" + process.pid()));
    words.addAll(List.of(more));
    return rockpool(words.toArray(String[]::new));
  }

  @Test
  void scansItsClassPathAndItsModulePath() throws IOException {
    Files.copy(CORPUS.resolve(JAR), folder.resolve("relative.jar"));
    Path modules = Files.createDirectory(folder.resolve("modules"));
    Files.copy(CORPUS.resolve("datasketches-java-9.0.0.jar"), modules.resolve("datasketches.jar"));
    String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
    start(
        "--module-path=modules",
        "-cp",
        String.join(File.pathSeparator, classes, "relative.jar", "gone.jar"));

    Outcome outcome = scan();

    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(0);
    assertThat(outcome.out())
        .containsPattern("relative.jar +27 ")
        .containsPattern("datasketches.jar +1 ")
        .contains("  " + folder.resolve("gone.jar") + ": there is no such file\n");
  }

  @Test
  void scansWhatIsNamedBesides() throws IOException {
    start("-cp", Path.of("target", "test-classes").toAbsolutePath().toString());
    assertThat(scan(CORPUS.resolve(JAR).toString()).out())
        .containsPattern("jline-terminal-ffm-4.5.0.jar +27 ");
  }
}
