package dev.rockpool.cli.report;

import static dev.rockpool.cli.CommandLineJar.command;
import static dev.rockpool.cli.CommandLineJar.rockpool;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportIT {
  @TempDir private Path folder;

  /** From the agent's recorder to the report: 100 arenas that ask for nothing, 10 for too much. */
  @Test
  void readsWhatTheAgentRecords() throws Exception {
    Path recording = record("record=", "dev.rockpool.cli.compare.SmallProgram", "many");
    Path json = folder.resolve("report.json");

    Outcome outcome =
        rockpool(
            "report",
            "--no-calibration",
            "-o",
            folder.resolve("page.html").toString(),
            "--json",
            json.toString(),
            recording.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("Merged 1 recording of 1 JVM: 1,000 confined arenas");
    JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(report.get("processorNanos").getAsLong()).isPositive();
    JsonObject all = report.getAsJsonObject("all");
    assertThat(all.get("empty").getAsLong()).isEqualTo(100);
    assertThat(all.getAsJsonObject("totals").get("20").getAsLong()).isEqualTo(890);
    JsonObject site = report.getAsJsonArray("sites").get(0).getAsJsonObject();
    assertThat(site.get("site").getAsString())
        .matches("dev\\.rockpool\\.cli\\.compare\\.SmallProgram\\.\\w+:\\d+");
    assertThat(site.get("arenas").getAsLong()).isEqualTo(1000);
    assertThat(site.get("largestTotal").getAsLong()).isEqualTo(20_000);
  }

  /** {@code script} runs it on a pseudo terminal. */
  @ParameterizedTest
  @CsvSource({"'', '\u001b[1m\u001b[31mWorse:'", "1, Worse:"})
  void aVerdictHasAColourWhereItIsWanted(String noColor, String expected)
      throws IOException, InterruptedException {
    Path a = Recorded.record(folder.resolve("a.jfr"), new RecorderSettings(), leaking(0));
    Path b = Recorded.record(folder.resolve("b.jfr"), new RecorderSettings(), leaking(7));
    String page = folder.resolve("page.html").toString();
    String command =
        String.join(" ", command("report", "--compare", "-o", page, a.toString(), b.toString()));
    ProcessBuilder builder = new ProcessBuilder("script", "-qec", command, "/dev/null");
    builder.environment().put("TERM", "xterm");
    builder.environment().remove("NO_COLOR");
    if (!noColor.isEmpty()) {
      builder.environment().put("NO_COLOR", noColor);
    }
    Process report = builder.start();

    assertThat(new String(report.getInputStream().readAllBytes(), UTF_8))
        .contains("\u001b[K" + expected) // the progress before it is cleared
        .contains(" leaks in b only: shared a.Cache.load; ");
    assertThat(report.waitFor()).isZero();
  }

  private static HolderSite leaking(long leaked) {
    return new HolderSite("shared", "a.Cache.load:10", 20, 10, leaked);
  }

  /** A {@code java} that notes how it is started. */
  private Path noting(Path log) throws IOException {
    Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(
        java,
        "#!/bin/sh\necho \"$@\" >> '%s'\nexec '%s' \"$@\"\n"
            .formatted(log, Path.of(System.getProperty("java.home"), "bin", "java")));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return folder.resolve("jdk");
  }

  /** From five leaks to their lines, without a look at the source. */
  @Test
  void namesTheLineOfEachLeak() throws Exception {
    Path recording = record("record=", "dev.rockpool.cli.report.FiveLeaks");

    Outcome outcome =
        rockpool(
            "report",
            "--no-calibration",
            "-o",
            folder.resolve("page.html").toString(),
            recording.toString());

    assertThat(outcome.err()).isEmpty();
    String text = outcome.out().replaceAll("dev\\.rockpool\\.cli\\.report\\.", "");
    assertThat(text)
        .containsPattern(
            "Leaks: at least \\d arenas left open by shared" + " FiveLeaks\\.forgotten:\\d+")
        .containsPattern(
            "confined FiveLeaks\\.neverClosed:\\d+ +1 +123,456 +at least 123,456 +\\d ")
        .containsPattern("shared FiveLeaks\\.forgotten:\\d+ +7 +21,000 +21,000 +7 +21,000 +7 ")
        .containsPattern("shared FiveLeaks\\.<clinit>:\\d+ +1 +440,000 +440,000 +0 ")
        .containsPattern("direct FiveLeaks\\.buffers:\\d+ +30 +210,000 +at most 210,000 +0 ")
        .containsPattern("mapped FiveLeaks\\.files:\\d+ +3 +150,000 +at most 150,000 +0 ")
        .containsPattern("Leak: shared FiveLeaks\\.forgotten:\\d+: 7 arenas with 21,000 B")
        .containsPattern("Not freed: shared FiveLeaks\\.<clinit>:\\d+: 1 of 1 live with 440,000 B")
        .containsPattern("Not collected yet: direct FiveLeaks\\.buffers:\\d+: 30 of 30 live")
        .containsPattern("Not collected yet: mapped FiveLeaks\\.files:\\d+: 3 of 3 live")
        .containsPattern("at FiveLeaks\\.forgotten:\\d+\n    at FiveLeaks\\.main:\\d+\n");
  }

  private Path record(String options, String... program) throws Exception {
    Path recording = folder.resolve("recorded.jfr");
    Path agent = Path.of(System.getProperty("rockpool.agent.jar"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-javaagent:" + agent.toAbsolutePath() + "=" + options + recording);
    command.addAll(List.of("-cp", Path.of("target", "test-classes").toString()));
    command.addAll(List.of(program));
    Process running =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("program.txt").toFile())
            .start();
    assertThat(running.waitFor()).isZero();
    return recording;
  }

  /**
   * The packaged command line has the page's frame. Two pairs of JVMs measure an arena of the mean
   * size.
   */
  @Test
  void writesThePageAndMeasures() throws IOException {
    Path sample = Samples.record(folder.resolve("sample.jfr"));
    Path page = folder.resolve("page.html");
    Path json = folder.resolve("report.json");
    Path log = folder.resolve("log");

    Outcome outcome =
        rockpool(
            "report",
            "--jdk",
            noting(log).toString(),
            "-o",
            page.toString(),
            "--json",
            json.toString(),
            sample.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Merged 1 recording of 1 JVM: 10,401 confined arenas");
    assertThat(Files.readString(page))
        .contains("</html>")
        .doesNotContain("<script src=", "(not packaged)")
        .hasSizeLessThan(100_000);
    assertThat(Files.readAllLines(log))
        .satisfiesExactly(
            line -> assertThat(line).endsWith(" platform 10").doesNotContain("-javaagent:"),
            line -> assertThat(line).endsWith(" platform 10").contains("-javaagent:"),
            line -> assertThat(line).endsWith(" platform 10").doesNotContain("-javaagent:"),
            line -> assertThat(line).endsWith(" platform 10").contains("-javaagent:"));
    JsonObject gain =
        JsonParser.parseString(Files.readString(json)).getAsJsonObject().getAsJsonObject("gain");
    assertThat(gain.get("jdk").getAsString()).isEqualTo(Runtime.version().toString());
    assertThat(gain.get("nanosWith").getAsDouble())
        .isPositive()
        .isLessThan(gain.get("nanosWithout").getAsDouble());
  }
}
