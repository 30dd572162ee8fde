package dev.rockpool.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that was stopped accepts connections, and never answers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedJvmIT {
  @TempDir private Path folder;

  private static Process rockpool(String... args) throws IOException {
    return new ProcessBuilder(CommandLineJar.command(args)).start();
  }

  private static void signal(String name, TargetJvm target)
      throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", name, target.pid()).start().waitFor()).isZero();
  }

  @Test
  void commandsEndWithTheReason() throws IOException, InterruptedException {
    try (TargetJvm target = TargetJvm.loop(folder)) {
      Process top = rockpool("top", target.pid());
      assertThat(top.errorReader().readLine()).contains("waiting for the first figures");
      assertThat(top.inputReader().readLine()).startsWith("pool");
      Process record =
          rockpool("record", "-o", folder + "/a.jfr", "--duration", "4s", target.pid());
      assertThat(record.errorReader().readLine()).contains("recording process");
      signal("-STOP", target);
      List<Process> commands = new ArrayList<>(List.of(record, top));
      for (String command : List.of("status", "detach", "scan --pid")) {
        String[] words = (command + " " + target.pid()).split(" ");
        commands.add(rockpool(words));
      }
      for (Process command : commands) {
        String name = Arrays.toString(command.info().arguments().orElse(new String[0]));
        assertThat(command.waitFor(60, TimeUnit.SECONDS)).as(name).isTrue();
        assertThat(command.errorReader().lines())
            .as(name)
            .containsExactly(
                "rockpool: Process %s must answer within 15 s: it did not; it is stopped, or too busy"
                    .formatted(target.pid()));
        assertThat(command.exitValue()).as(name).isEqualTo(1);
      }
      signal("-CONT", target);
      assertThat(target.answer()).isEqualTo("here");
    }
  }
}
