package dev.rockpool.cli.attach;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AttachIT {
  @TempDir private Path folder;

  @Test
  void changesARunningProgramAndLeavesItAgain() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder)) {
      Outcome outcome = target.rockpool(List.of("attach"));
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out())
          .isEqualTo("The agent is at work in process " + target.pid() + ".\n");
      assertThat(outcome.exitCode()).isEqualTo(0);
      assertThat(target.answer()).isNotEqualTo(TargetJvm.JDK_ARENA);

      Outcome left = target.rockpool(List.of("detach"));
      assertThat(left.err()).isEmpty();
      assertThat(left.out()).isEqualTo("The agent has left process " + target.pid() + ".\n");
      assertThat(target.answer()).isEqualTo(TargetJvm.JDK_ARENA);

      target.attach().attach("uninstall");
      assertThat(target.answer()).isEqualTo(TargetJvm.JDK_ARENA);
    }
  }

  @Test
  void handsOnItsOptions() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder)) {
      target.attach("exclude=dev.rockpool.cli.*");
      assertThat(target.answer()).isEqualTo(TargetJvm.JDK_ARENA);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verbos             | separated by commas: \"verbos\"",
        "verbose=yes        | Agent option verbose must be on or off: \"yes\"",
        "uninstall,verbose  | Agent option uninstall must be given alone",
        "record=no/file.jfr | Agent option record must be on or off, or a file that can be written"
      })
  void refusesOptionsByNameAndLeavesTheTargetAlone(String options, String message)
      throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder)) {
      Outcome outcome = target.rockpool(List.of("attach"), options);
      assertThat(outcome.exitCode()).isEqualTo(2);
      assertThat(outcome.err())
          .startsWith("rockpool: Agent option")
          .contains(message)
          .endsWith("Try './rockpool attach --help'.\n");
      assertThat(target.answer()).isEqualTo(TargetJvm.JDK_ARENA);
      assertThat(target.err()).isEmptyFile();
    }
  }

  @Test
  void refusesOtherOptionsOfAnAgentThatIsThere() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder)) {
      target.attach("exclude=Other").attach("exclude=Other");
      Outcome outcome = target.rockpool(List.of("attach"), "direct");
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err())
          .contains("has it with", "exclude=Other", "'./rockpool detach " + target.pid() + "'");
      assertThat(target.err()).content().doesNotContain("\tat ");
    }
  }

  @Test
  void theAgentOfAProgramWithoutArenasIsSeenAndCanLeave() throws IOException {
    try (TargetJvm target = TargetJvm.withoutArenas(folder)) {
      AgentInJvm agent = new AgentInJvm(target.process().pid());
      assertThat(agent.options()).startsWith("arenas=on");
      assertThat(target.rockpool(List.of("detach")).exitCode()).isZero();
      assertThat(agent.isThere()).isFalse();
      assertThat(target.err()).isEmptyFile();
    }
  }

  @Test
  void detachesOnlyAnAgentThatIsThere() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder, "-XX:-EnableDynamicAgentLoading")) {
      for (Outcome outcome :
          List.of(
              target.rockpool(List.of("detach")),
              target.rockpool(List.of("attach"), "uninstall"))) {
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
            .isEqualTo(
                "rockpool: The agent must be in the process to leave it: it is not in process "
                    + target.pid()
                    + ", and nothing was changed\n");
      }
    }
  }

  @Test
  void tellsThatAgentsAreNotLetIn() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder, "-XX:-EnableDynamicAgentLoading")) {
      Outcome outcome = target.rockpool(List.of("attach"));
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err())
          .startsWith("rockpool: Process " + target.pid() + " does not take the agent: ")
          .contains("-XX:+EnableDynamicAgentLoading")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void tellsThatTheAgentIsSwitchedOff() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder, "-Drockpool.agent=off")) {
      Outcome outcome = target.rockpool(List.of("attach"));
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err())
          .isEqualTo(
              "rockpool: The agent did not start in process "
                  + target.pid()
                  + ": the reason is in the standard error of that process\n");
      assertThat(target.err()).content().contains("The agent is switched off");
    }
  }

  @Test
  void tellsThatAttachingIsSwitchedOff() throws IOException {
    try (TargetJvm target = TargetJvm.perLine(folder, "-XX:+DisableAttachMechanism")) {
      Outcome outcome = target.rockpool(List.of("attach"));
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err())
          .startsWith("rockpool: Cannot attach to process " + target.pid() + ": ")
          .contains("not started with -XX:+DisableAttachMechanism");
    }
  }

  @Test
  void tellsThatAProcessIsNoJvm() throws IOException {
    Process process = new ProcessBuilder("cat").start();
    try {
      Outcome outcome = rockpool("attach", Long.toString(process.pid()));
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err())
          .startsWith("rockpool: Cannot attach to process " + process.pid() + ": ")
          .contains("It must be a JVM ('jps -l' lists them)");
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void tellsThatThereIsNoProcess() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    Outcome outcome = rockpool("attach", Long.toString(process.pid()));
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("rockpool: PID must be that of a running process: there is no process ");
  }
}
