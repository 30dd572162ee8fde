package dev.rockpool.cli.attach;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordCommandIT {
  private static final String SITE = ArenaLoop.class.getName();

  @TempDir private Path folder;

  private static long arenas(Path file) throws IOException {
    return sum(file, "arenas");
  }

  private static long sum(Path file, String field) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.rockpool.ArenaSite"))
        .filter(event -> event.getString("site").startsWith(SITE + "."))
        .mapToLong(event -> event.getLong(field))
        .sum();
  }

  private static boolean isPooled(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.rockpool.RecorderSettings"))
        .anyMatch(event -> event.getBoolean("arenas"));
  }

  /** Starts {@code rockpool record ARGS}, whose input is ours to write. */
  private Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>(CommandLineJar.command("record"));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
  }

  @Test
  void recordsAJvmForAWhileAndLeavesItAsItWas() throws IOException {
    Path file = folder.resolve("a.jfr");
    try (TargetJvm target = TargetJvm.loop(folder)) {
      Outcome outcome =
          target.rockpool(List.of("record", "-o", file.toString(), "--duration", "1500ms"));
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err().lines())
          .containsExactly(
              "rockpool: recording process " + target.pid() + " for 1.5s",
              "Recorded to " + file + "; to see it: ./rockpool report " + file);
      assertThat(outcome.exitCode()).isEqualTo(0);
      assertThat(arenas(file)).isPositive();
      assertThat(isPooled(file)).isFalse();
      assertThat(new AgentInJvm(target.process().pid()).options()).isNull();
      assertThat(target.answer()).isEqualTo("here");
      assertThat(target.err()).isEmptyFile();
    }
  }

  @Test
  void saysNothingIfItIsToBeQuiet() throws IOException {
    Path file = folder.resolve("a.jfr");
    try (TargetJvm target = TargetJvm.loop(folder)) {
      assertThat(
              target.rockpool(List.of("record", "-q", "-o", file.toString(), "--duration", "1s")))
          .isEqualTo(new Outcome(0, "", ""));
      assertThat(arenas(file)).isGreaterThan(0);
    }
  }

  @Test
  void recordsUntilInterrupted() throws IOException, InterruptedException {
    try (TargetJvm target = TargetJvm.loop(folder)) {
      Process record = start(target.pid());
      assertThat(record.inputReader().readLine()).endsWith("; Ctrl-C ends it");
      assertThat(target.answer()).isEqualTo("here");
      interrupt(record);
      assertThat(record.inputReader().readLine()).startsWith("Recorded to ");
      assertThat(record.waitFor()).isEqualTo(0);
      assertThat(arenas(folder.resolve("rockpool-" + target.pid() + ".jfr"))).isPositive();
      assertThat(new AgentInJvm(target.process().pid()).options()).isNull();
    }
  }

  /** By TERM, as processes in the background may be started with INT ignored. */
  private static void interrupt(Process process) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor())
        .isEqualTo(0);
  }

  @Test
  void endsWithTheProcess() throws IOException, InterruptedException {
    Path file = folder.resolve("c.jfr");
    try (TargetJvm target = TargetJvm.loop(folder)) {
      Process record = start("-o", file.toString(), target.pid());
      assertThat(record.inputReader().readLine()).endsWith("; Ctrl-C ends it");
      assertThat(target.answer()).isEqualTo("here");
      target.process().outputWriter().close();
      assertThat(record.waitFor()).isEqualTo(0);
      assertThat(arenas(file)).isPositive();
    }
  }

  @Test
  void givesAnAgentThatIsThereItsOptionsBack() throws IOException {
    Path file = folder.resolve("d.jfr");
    try (TargetJvm target = TargetJvm.loop(folder).attach("linker=off,include=dev.*")) {
      AgentInJvm agent = new AgentInJvm(target.process().pid());
      String before = agent.options();

      Outcome refused =
          target.rockpool(
              List.of("record", "-o", file.toString(), "--agent-options", "arenas=off"));
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains("--agent-options is for a JVM without the agent");
      assertThat(file).doesNotExist();

      Outcome outcome =
          target.rockpool(List.of("record", "-o", file.toString(), "--duration", "1s"));
      assertThat(outcome.exitCode()).isEqualTo(0);
      assertThat(arenas(file)).isPositive();
      assertThat(agent.options()).isEqualTo(before).contains("linker=off", "include=dev.*");
    }
  }

  @Test
  void givesTheOptionsBackIfItCanNotRecord() throws IOException {
    Path file = folder.resolve("n.jfr");
    try (TargetJvm target = TargetJvm.loop(folder).attach("linker=off,include=dev.*")) {
      AgentInJvm agent = new AgentInJvm(target.process().pid());
      String before = agent.options();

      Outcome outcome =
          target.rockpool(
              List.of(
                  "record",
                  "-o",
                  file.toString(),
                  "--duration",
                  "1s",
                  "--c",
                  "9".repeat(30) + "m"));

      assertThat(outcome.exitCode()).as(outcome.err()).isNotZero();
      assertThat(outcome.err()).contains("record.c must be ");
      assertThat(agent.options()).isEqualTo(before).contains("linker=off", "include=dev.*");
      assertThat(target.answer()).isEqualTo("here");
    }
  }

  @Test
  void recordsAProgramWithoutArenas() throws IOException {
    Path file = folder.resolve("w.jfr");
    try (TargetJvm target = TargetJvm.withoutArenas(folder)) {
      Outcome outcome =
          target.rockpool(List.of("record", "-o", file.toString(), "--duration", "200ms"));
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(file).isNotEmptyFile();
      assertThat(new AgentInJvm(target.process().pid()).options()).contains("arenas=on");
    }
  }

  @Test
  void refusesAJvmThatRecords() throws IOException {
    try (TargetJvm target = TargetJvm.loop(folder).attach("record")) {
      Path file = folder.resolve("e.jfr");
      Outcome outcome = target.rockpool(List.of("record", "-o", file.toString()));
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err()).contains("The agent records once in a JVM", "JFR.dump");
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void refusesAFileThatCannotBeWritten() throws IOException {
    try (TargetJvm target = TargetJvm.loop(folder)) {
      Path file = folder.resolve("none").resolve("f.jfr");
      Outcome outcome = target.rockpool(List.of("record", "-o", file.toString()));
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err())
          .isEqualTo(
              "rockpool: The file for the recording must be in a folder that exists, and"
                  + " writable: it is "
                  + file
                  + "\n");
      assertThat(target.err()).isEmptyFile();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "record, --agent-options must be without record",
    "uninstall, Agent option uninstall must be given alone",
    "verbos, Agent options are arenas",
    "'', Agent options are"
  })
  void refusesAgentOptionsByName(String options, String message) throws IOException {
    Outcome outcome = rockpool("record", "--agent-options", options, "--", "/no/such");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("rockpool: --agent-options").contains(message);
  }

  @Test
  void runsACommandWithItsInputAndRecordsIt() throws IOException, InterruptedException {
    Process record =
        record("-o", folder.resolve("g%p.jfr").toString(), "--agent-options", "linker");
    assertThat(record.inputReader().readLine()).isEqualTo("ready");
    record.outputWriter().write("go\n");
    record.outputWriter().close();
    assertThat(record.inputReader().readLine()).isEqualTo("here");
    assertThat(record.inputReader().readLine()).startsWith("Recorded to ");
    assertThat(record.waitFor()).isEqualTo(0);
    try (var files = Files.newDirectoryStream(folder, "g*.jfr")) {
      assertThat(isPooled(files.iterator().next())).isTrue();
    }
  }

  @Test
  void switchesNativeMemoryTrackingOnAndSaysSo() throws IOException {
    String file = folder.resolve("n%p.jfr").toString();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = List.of(java, "-XX:+PrintFlagsFinal", "-version");
    for (boolean isTracked : List.of(true, false)) {
      List<String> args = new ArrayList<>(List.of("record", "-o", file));
      args.addAll(isTracked ? List.of("--") : List.of("--no-tracking", "--"));
      args.addAll(command);
      Outcome outcome = rockpool(args.toArray(String[]::new));
      assertThat(outcome.out())
          .containsPattern("NativeMemoryTracking += " + (isTracked ? "summary" : "off"));
      assertThat(outcome.err().contains("native memory tracking is on")).isEqualTo(isTracked);
    }
  }

  private Process record(String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of(options));
    args.addAll(List.of("--no-tracking", "--"));
    args.addAll(TargetJvm.loopCommand());
    return start(args.toArray(String[]::new));
  }

  @Test
  void letsACommandGoOnAfterTheDuration() throws IOException, InterruptedException {
    Path file = folder.resolve("h.jfr");
    Process record = record("-o", file.toString(), "--duration", "2s");
    assertThat(record.inputReader().readLine()).isEqualTo("ready");
    assertThat(record.inputReader().readLine())
        .isEqualTo("rockpool: recorded 2s; the program goes on");
    long arenas = arenas(file);
    assertThat(arenas).isPositive();
    record.toHandle().destroy(); // unlike Process.destroy leaves its output open
    assertThat(record.inputReader().readLine()).startsWith("Recorded to ");
    assertThat(record.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(record.exitValue()).isEqualTo(0);
    assertThat(arenas(file)).isEqualTo(arenas);
  }

  /** No JVM starts in a millisecond. */
  @Test
  void aDurationBeginsOnceTheAgentIsThere() throws IOException, InterruptedException {
    Process record = record("-o", folder.resolve("k.jfr").toString(), "--duration", "1ms");
    assertThat(List.of(record.inputReader().readLine(), record.inputReader().readLine()))
        .containsExactlyInAnyOrder("ready", "rockpool: recorded 0.001s; the program goes on");
    ProcessHandle program = record.children().findFirst().orElseThrow();
    assertThat(new AgentInJvm(program.pid()).isThere()).isFalse();
    record.outputWriter().close();
    assertThat(record.inputReader().readLine()).startsWith("Recorded to ");
    assertThat(record.waitFor()).isZero();
  }

  @Test
  void tellsThatACommandFailedAndDoesNotTakeAFormerFileForItsRecording() throws IOException {
    Path file = Files.writeString(folder.resolve("i.jfr"), "former");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    Outcome outcome =
        rockpool(
            "record",
            "-o",
            file.toString(),
            "--agent-options",
            "exclude=a/b".substring(0, 9),
            "--",
            CommandLineJar.command().getFirst(),
            "--no-such-option");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains(
            "rockpool: the command ended with exit code 1",
            "rockpool: There must be a recording at the end: " + file);
    assertThat(file).hasContent("former");
  }

  @Test
  void refusesADurationForACommandThatIsNotJava() throws IOException {
    Outcome outcome = rockpool("record", "--duration", "1s", "--", "sh", "-c", "exit");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("needs a command that begins with java: it begins with sh");
  }

  /** The file's name has all that the launcher could take for a quote, an escape or a space. */
  @Test
  void recordsTheJvmsOfAScript() throws IOException {
    Path file = folder.resolve("e\\f \"g\" 'h'.jfr");
    String java = String.join(" ", TargetJvm.loopCommand());
    Outcome outcome = rockpool("record", "-o", file.toString(), "--", "sh", "-c", java);
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(0);
    assertThat(outcome.out()).isEqualTo("ready\n");
    assertThat(outcome.err()).contains("Recorded to " + file + "; ");
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(event -> event.getEventType().getName())
        .contains("dev.rockpool.RecorderSettings");
  }

  @Test
  void aCommandWithoutAJvmIsNotSaidToBeRecorded() throws IOException {
    Outcome outcome =
        rockpool(
            "record", "-o", folder.resolve("none-%p.jfr").toString(), "--", "sh", "-c", "exit");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("has none; the command started no JVM");
  }

  @Test
  void aCommandWithoutDashesIsToldOfThem() throws IOException {
    Outcome outcome = rockpool("record", "java", "-cp", "app.jar", "Main");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("behind --: for example, -- java -jar app.jar");
  }
}
