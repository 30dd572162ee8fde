package dev.rockpool.cli.attach;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.support.Installation;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AttachIT {
  private static final String JDK_ARENA = "jdk.internal.foreign.ArenaImpl";

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  private Process start(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(Redirect.to(folder.resolve("err").toFile()))
            .start();
    started.add(process);
    return process;
  }

  /** A JVM that has printed its first line, so that its class is loaded. */
  private Process jvm(String option) throws IOException {
    String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
    String main = ArenaPerLine.class.getName();
    Process process = start(Installation.java().toString(), option, "-cp", classes, main);
    assertThat(process.inputReader().readLine()).isEqualTo(JDK_ARENA);
    return process;
  }

  private static String arenaClass(Process process) throws IOException {
    BufferedWriter in = process.outputWriter();
    in.write("go\n");
    in.flush();
    BufferedReader out = process.inputReader();
    return out.readLine();
  }

  private static Outcome attach(Process process, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("attach", Long.toString(process.pid())));
    args.addAll(List.of(options));
    return rockpool(args.toArray(String[]::new));
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void changesARunningProgram() throws IOException {
    Process process = jvm("-XX:+EnableDynamicAgentLoading");
    Outcome outcome = attach(process);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines())
        .containsExactly("The agent is at work in process " + process.pid() + ".");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(arenaClass(process)).isNotEqualTo(JDK_ARENA);
  }

  @Test
  void takesTheAgentOutAgain() throws IOException {
    Process process = jvm("-XX:+EnableDynamicAgentLoading");
    attach(process);
    Outcome outcome = attach(process, "uninstall");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines())
        .containsExactly("The agent has left process " + process.pid() + ".");
    assertThat(arenaClass(process)).isEqualTo(JDK_ARENA);
  }

  @Test
  void handsOnItsOptions() throws IOException {
    Process process = jvm("-XX:+EnableDynamicAgentLoading");
    assertThat(attach(process, "exclude=dev.rockpool.cli.*").exitCode()).isEqualTo(0);
    assertThat(arenaClass(process)).isEqualTo(JDK_ARENA);
  }

  @Test
  void tellsWhereTheAgentSaysWhatItRefused() throws IOException {
    Process process = jvm("-XX:+EnableDynamicAgentLoading");
    Outcome outcome = attach(process, "nonsense");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .containsExactly(
            "rockpool: The agent did not start in process "
                + process.pid()
                + " with options \"nonsense\": the reason is in the standard error of that"
                + " process");
    assertThat(Files.readString(folder.resolve("err"))).contains("nonsense");
    assertThat(arenaClass(process)).isEqualTo(JDK_ARENA);
  }

  @Test
  void tellsThatAgentsAreNotLetIn() throws IOException {
    Process process = jvm("-XX:-EnableDynamicAgentLoading");
    Outcome outcome = attach(process);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("rockpool: Process " + process.pid() + " does not take the agent: ")
        .contains("-XX:+EnableDynamicAgentLoading")
        .doesNotContain("\tat ");
  }

  @Test
  void tellsThatAttachingIsSwitchedOff() throws IOException {
    Process process = jvm("-XX:+DisableAttachMechanism");
    Outcome outcome = attach(process);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("rockpool: Cannot attach to process " + process.pid() + ": ")
        .contains("not started with -XX:+DisableAttachMechanism");
  }

  @Test
  void tellsThatAProcessIsNoJvm() throws IOException {
    Process process = start("cat");
    Outcome outcome = attach(process);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("rockpool: Cannot attach to process " + process.pid() + ": ")
        .contains("It must be a JVM ('jps -l' lists them)");
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void tellsThatThereIsNoProcess() throws IOException, InterruptedException {
    Process process = start("true");
    process.waitFor();
    Outcome outcome = attach(process);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("rockpool: PID must be that of a running process: there is no process ");
  }
}
