package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  @TempDir private Path folder;

  /** A child whose first argument says what to do. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      switch (args[0]) {
        case "lines" -> {
          for (int i = 1; i <= 30; i++) {
            System.err.println("line " + i);
          }
          System.exit(3);
        }
        case "quiet" -> System.exit(System.in.read() < 0 ? 4 : 5);
        case "input" -> System.out.println(System.in.read());
        case "wait" -> Thread.currentThread().join();
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private static ProcessBuilder builder(String what) {
    return new ProcessBuilder(
        Installation.java().toString(),
        "-cp",
        System.getProperty("java.class.path"),
        Child.class.getName(),
        what);
  }

  private ChildProcess run(String what, Duration limit) {
    return ChildProcess.run(builder(what), folder, what, limit);
  }

  @Test
  void showsTheEndOfStandardError() {
    ChildProcess process = run("lines", ChildProcess.NO_LIMIT);
    assertThat(process.exitCode()).isEqualTo(3);
    assertThat(process.outLines()).isEmpty();
    assertThat(process.errForMessage())
        .startsWith("Its standard error (last 20 lines):\n  line 11\n  line 12\n")
        .endsWith("\n  line 30");
  }

  @Test
  void givesNothingOnStandardInput() {
    ChildProcess process = run("input", ChildProcess.NO_LIMIT);
    assertThat(process.outLines()).containsExactly("-1");
    assertThat(process.errForMessage()).isEqualTo("It wrote nothing to standard error.");
  }

  @Test
  void givesTheExitCodeOfAProcessInView() {
    assertThat(ChildProcess.runInView(builder("quiet"))).isEqualTo(4);
  }

  @Test
  void endsAProcessThatTakesTooLong() {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> run("wait", Duration.ofMillis(1)))
        .withMessageStartingWith("A child process must end within 0 s: [");
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
        .allSatisfy(child -> assertThat(child.onExit()).succeedsWithin(Duration.ofMinutes(1)));
  }

  @Test
  void namesACommandThatCannotBeStarted() {
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(
            () ->
                ChildProcess.run(
                    new ProcessBuilder("/no/such/program"), folder, "none", ChildProcess.NO_LIMIT))
        .withMessageStartingWith("Cannot start /no/such/program: ");
  }
}
