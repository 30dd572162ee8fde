package dev.rockpool.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.attach.TargetJvm;
import dev.rockpool.cli.support.Installation;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
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

  /** Reads what {@code top} prints until all patterns are there, and then ends it. */
  private static void showsInTime(TargetJvm jvm, List<String> patterns, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(CommandLineJar.command("top", jvm.pid()));
    command.addAll(List.of(more));
    Process top = new ProcessBuilder(command).start();
    List<String> missing = new ArrayList<>(patterns);
    for (String line = ""; line != null && !missing.isEmpty(); ) {
      line = top.inputReader().readLine();
      String read = line + "\n";
      missing.removeIf(pattern -> Pattern.compile(pattern).matcher(read).find());
    }
    top.toHandle().destroy(); // unlike Process.destroy leaves its output open
    assertThat(missing).isEmpty();
    assertThat(top.errorReader().lines()).hasSize(1); // that it waits
    assertThat(top.waitFor()).isZero();
  }

  @Test
  void printsFiguresOfAPlainJvm() throws IOException {
    Outcome outcome = target.rockpool(List.of("top"), "--count", "2", "--interval", "100ms");
    assertThat(outcome.err())
        .isEqualTo("rockpool: waiting for the first figures of process " + target.pid() + "\n");
    assertThat(outcome.exitCode()).isEqualTo(0);
    assertThat(outcome.out().lines().filter("pool: not in use"::equals)).hasSize(2);
    assertThat(outcome.out()).contains("direct: 0 buffers", "No sites: the agent does not record");
  }

  @Test
  void printsRatesOfThePoolAndOfSites() throws Exception {
    target.attach("record=" + folder.resolve("own.jfr"));
    showsInTime(
        target,
        List.of(
            "pool ON: [1-9][\\d,]* arenas/s(, \\d+\\.\\d % with a new block)?; bytes kept: \\d",
            "confined "
                + SITE
                + "\\.\\w+:\\d+ +[\\d.]+(?: .i)? +\\d+ +[1-9][\\d,]* +[1-9][\\d.]*(?: .i)?\n"),
        "--sort",
        "bytes");
    assertThat(target.err()).isEmptyFile();
  }

  /** Stacks are long, so the program's own recording must not get them with each frame. */
  @Test
  void showsHoldersOfEachKind() throws Exception {
    Path own = folder.resolve("holders.jfr");
    String agent = "-javaagent:" + Installation.agentJar() + "=record=" + own;
    String site = " [\\w.]+HoldersOfAllKinds\\.[\\w$]+:\\d+ +";
    try (TargetJvm holders = TargetJvm.start(folder, "ready", HoldersOfAllKinds.class, agent)) {
      List<String> lines = new ArrayList<>();
      for (String kind : List.of("confined", "shared", "automatic", "global")) {
        lines.add(kind + site + "3\\.0 Ki +1 +0 +0\n");
      }
      lines.add("mapped" + site + "700 +1 +0 +0\n");
      lines.add("direct" + site + "[\\d.]+ .i +[1-9]\\d+ +[1-9]\\d* +[\\d.]+ .i\n");
      showsInTime(holders, lines, "--interval", "300ms");
      holders.process().outputWriter().close();
      assertThat(holders.process().waitFor()).isZero();
    }
    assertThat(RecordingFile.readAllEvents(own))
        .filteredOn(event -> event.getEventType().getName().equals("dev.rockpool.HolderStack"))
        .extracting(event -> event.getString("kind"))
        .filteredOn(kind -> !kind.matches("temporary|owner.*")) // those that the JDK's code makes
        .hasSizeBetween(6, 24);
  }

  /** Without a recording. */
  @Test
  void showsWhatIsCounted() throws Exception {
    String agent = "-javaagent:" + Installation.agentJar() + "=count";
    String site = " [\\w.]+HoldersOfAllKinds\\.[\\w$]+:\\d+ +";
    try (TargetJvm holders = TargetJvm.start(folder, "ready", HoldersOfAllKinds.class, agent)) {
      List<String> lines = new ArrayList<>(List.of("counted: [\\d,]+ bytes in use, highest "));
      for (String kind : List.of("confined", "shared", "automatic", "global")) {
        lines.add(kind + site + "3\\.0 Ki +- +- +-\n");
      }
      lines.add("direct" + site + "[\\d.]+ .i +- +- +-\n");
      showsInTime(holders, lines, "--interval", "300ms");
    }
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
