package dev.rockpool.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.attach.TargetJvm;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TopIT {
  private static final String SITE = "dev.rockpool.cli.attach.ArenaLoop";

  @TempDir private Path folder;
  private TargetJvm target;

  @BeforeEach
  void start() throws IOException {
    target = TargetJvm.loop(folder);
  }

  @AfterEach
  void end() {
    target.close();
  }

  private Outcome top(String... more) throws IOException {
    return target.rockpool(List.of("top"), more);
  }

  @Test
  void printsFiguresOfAPlainJvm() throws IOException {
    Outcome outcome = top("--count", "2", "--interval", "100ms");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out().lines().filter("pool: not in use"::equals)).hasSize(2);
    assertThat(outcome.out()).contains("direct: 0 buffers", "No sites: the agent does not record");
  }

  @Test
  void printsRatesOfThePoolAndOfSites() throws IOException {
    target.attach("record=" + folder.resolve("own.jfr"));
    Outcome outcome = top("--count", "6", "--sort", "bytes");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out())
        .containsPattern("pool ON: [1-9][\\d,]* arenas/s, \\d+\\.\\d % from kept blocks")
        .containsPattern(
            "confined "
                + SITE
                + "\\.\\w+:\\d+ +[\\d.]+(?: .i)? +\\d+ +[1-9][\\d,]* +[1-9][\\d.]*(?: .i)?\n");
    assertThat(target.err()).isEmptyFile();
  }

  /** Stacks are long, so the program's own recording must not get them with each frame. */
  @Test
  void showsHoldersOfEachKind() throws Exception {
    Path own = folder.resolve("holders.jfr");
    String agent = "-javaagent:" + Installation.agentJar() + "=record=" + own;
    String site = " [\\w.]+HoldersOfAllKinds\\.[\\w$]+:\\d+ +";
    try (TargetJvm holders = TargetJvm.start(folder, "ready", HoldersOfAllKinds.class, agent)) {
      Outcome outcome = holders.rockpool(List.of("top"), "--count", "6");

      assertThat(outcome.err()).isEmpty();
      for (String kind : List.of("confined", "shared", "automatic", "global")) {
        assertThat(outcome.out()).containsPattern(kind + site + "3\\.0 Ki +1 +0 +0\n");
      }
      assertThat(outcome.out())
          .containsPattern("mapped" + site + "700 +1 +0 +0\n")
          .containsPattern("direct" + site + "[\\d.]+ .i +[1-9]\\d+ +[1-9]\\d* +[\\d.]+ Ki\n");
      holders.process().outputWriter().close();
      assertThat(holders.process().waitFor()).isZero();
    }
    assertThat(RecordingFile.readAllEvents(own))
        .extracting(event -> event.getEventType().getName())
        .filteredOn("dev.rockpool.HolderStack"::equals)
        .hasSizeBetween(6, 24);
  }

  @Test
  void endsWithTheProcess() throws IOException, InterruptedException {
    Process top = new ProcessBuilder(CommandLineJar.command("top", target.pid())).start();
    assertThat(top.inputReader().readLine()).startsWith("pool");
    target.close();
    assertThat(top.inputReader().lines()).contains("Process " + target.pid() + " has ended.");
    assertThat(top.waitFor()).isEqualTo(0);
  }

  /** {@code script} runs it on a pseudo terminal. */
  @Test
  void sortsByKeyAndQuitsOnATerminal() throws IOException, InterruptedException {
    String command = String.join(" ", CommandLineJar.command("top", target.pid()));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", "stty rows 12 cols 40; " + command, "/dev/null");
    builder.environment().put("TERM", "xterm");
    Process top = builder.start();
    Reader screen = top.inputReader();

    readUntil(screen, "sort by live");
    readUntil(screen, "b bytes/s"); // the end of the frame
    top.outputWriter().write("n");
    top.outputWriter().flush();
    readUntil(screen, "nam"); // only what differs from live is drawn
    top.outputWriter().write("q");
    top.outputWriter().flush();
    readUntil(screen, "\u001b[?1049l"); // the former content is back
    assertThat(top.waitFor()).isEqualTo(0);
  }

  private static void readUntil(Reader screen, String expected) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(expected) < 0) {
      int next = screen.read();
      assertThat(next).as("end, after %s", seen).isNotNegative();
      seen.append((char) next);
    }
  }
}
