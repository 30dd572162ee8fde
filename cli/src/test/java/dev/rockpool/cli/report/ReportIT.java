package dev.rockpool.cli.report;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportIT {
  @TempDir private Path folder;

  /**
   * From the agent's recorder to the report: 100 arenas that ask for nothing, 10 for too much. JVMs
   * without and with the agent open such arenas by turns.
   */
  @Test
  void readsWhatTheAgentRecords() throws Exception {
    Path recording = record("record=", "dev.rockpool.cli.compare.SmallProgram", "many");
    Path json = folder.resolve("report.json");
    Path log = folder.resolve("log");

    Outcome outcome =
        rockpool(
            "report",
            "--jdk",
            noting(log).toString(),
            "-o",
            folder.resolve("page.html").toString(),
            "--json",
            json.toString(),
            recording.toString());

    assertThat(outcome.err()).startsWith("[1/1] calibrated with arenas as on platform threads: ");
    assertThat(outcome.out()).contains("Merged 1 recording of 1 JVM: 1,000 confined arenas");
    JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    JsonObject forecast = report.getAsJsonObject("forecast");
    assertThat(forecast.get("jdk").getAsString()).isEqualTo(Runtime.version().toString());
    assertThat(forecast.get("pairs").getAsInt()).isEqualTo(Calibration.PAIRS);
    assertThat(forecast.has("shareOfProcessorTime")).isTrue();
    List<String> started = Files.readAllLines(log);
    assertThat(started)
        .hasSize(2 * Calibration.PAIRS)
        .allMatch(line -> line.contains(" platform 0 1000 0 "));
    for (int i = 0; i < started.size(); i++) {
      assertThat(started.get(i).contains("-javaagent:")).isEqualTo(i % 2 == 1);
    }
    JsonObject site = report.getAsJsonArray("sites").get(0).getAsJsonObject();
    assertThat(site.get("site").getAsString())
        .matches("dev\\.rockpool\\.cli\\.compare\\.SmallProgram\\.\\w+:\\d+");
    assertThat(site.get("arenas").getAsLong()).isEqualTo(1000);
    assertThat(site.get("fromPool").getAsLong()).isEqualTo(890);
    assertThat(site.get("missed").getAsLong()).isEqualTo(10);
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
            "Leaks: 1 site became unreachable without close, first FiveLeaks\\.forgotten:\\d+;"
                + " \\d sites only grow, first ")
        .containsPattern("confined FiveLeaks\\.neverClosed:\\d+ +1 +123,456 +123,456 +0 ")
        .containsPattern("shared FiveLeaks\\.forgotten:\\d+ +7 +21,000 +21,000 +7 +21,000 +7 ")
        .containsPattern("shared FiveLeaks\\.<clinit>:\\d+ +1 +440,000 +440,000 +0 ")
        .containsPattern("direct FiveLeaks\\.buffers:\\d+ +30 +210,000 +210,000 +0 ")
        .containsPattern("mapped FiveLeaks\\.files:\\d+ +3 +150,000 +150,000 +0 ")
        .containsPattern("Leak: shared FiveLeaks\\.forgotten:\\d+: 7 arenas with 21,000 B")
        .containsPattern(
            "Only grows: shared FiveLeaks\\.<clinit>:\\d+: 1 of 1 live with 440,000 B by 40")
        .containsPattern("Only grows: direct FiveLeaks\\.buffers:\\d+: 30 of 30 live")
        .containsPattern("Never freed: mapped FiveLeaks\\.files:\\d+: 3 of 3 live with 150,000 B")
        .containsPattern("Never freed: confined FiveLeaks\\.neverClosed:\\d+: 1 of 1 live")
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

  /** The packaged command line has the page's frame and the library that draws. */
  @Test
  void writesThePage() throws IOException {
    Path sample = Samples.record(folder.resolve("sample.jfr"));
    Path page = folder.resolve("page.html");

    Outcome outcome =
        rockpool("report", "--no-calibration", "-o", page.toString(), sample.toString());

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Merged 1 recording of 1 JVM: 10,401 confined arenas");
    assertThat(Files.readString(page))
        .contains("Apache Software Foundation", "data-option=", "</html>")
        .doesNotContain("<script src=", "(not packaged)");
  }
}
