package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The soak as users start it, for a few seconds. */
class SoakIT {
  @TempDir private Path folder;

  @Test
  void findsNothingWithCarriersOutOfReachAndInReach() throws IOException {
    Outcome outcome = CommandLineJar.rockpool("bench", "--soak", "0.1");

    assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(0);
    assertThat(outcome.out())
        .containsSubsequence(
            "blocks of carriers: out of reach",
            "resident MiB",
            "No violation.",
            "blocks of carriers: in reach",
            "resident MiB",
            "No violation.");
    assertThat(outcome.out().lines().filter(line -> line.matches(" +[0-9].*"))).hasSize(20);
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void failureEndsItAtOnceWithTheExitCodeOfTheJvm() {
    ProcessBuilder builder = new ProcessBuilder(CommandLineJar.command("bench", "--soak=1000"));
    builder.environment().put("JDK_JAVA_OPTIONS", "-Drockpool.block.size=0");

    ChildProcess process = ChildProcess.run(builder, folder, "soak", Duration.ofMinutes(1));

    assertThat(process.exitCode()).isEqualTo(1);
    assertThat(process.outLines())
        .hasSize(2)
        .last()
        .asString()
        .endsWith("The shared pool must serve arenas: state=OFF");
  }
}
