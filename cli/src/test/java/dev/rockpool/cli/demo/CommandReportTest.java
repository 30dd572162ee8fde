package dev.rockpool.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandReportTest {
  @TempDir private Path folder;

  private ChildProcess process(double seconds, String out) throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "", ".out"), out);
    return new ChildProcess(0, seconds, file, folder.resolve("none.err"));
  }

  /** Of two runs without, one with the agent. */
  private CommandReport report(String first, String second, String with) throws IOException {
    CommandComparison comparison = new CommandComparison(2);
    comparison.add(Side.WITHOUT, 0, process(1.5, first));
    comparison.add(Side.WITH, 0, process(1.0, with));
    comparison.add(Side.WITHOUT, 1, process(2.5, second));
    comparison.add(Side.WITH, 1, process(1.5, with));
    AgentRoute route = new AgentRoute(List.of("java", "Main"), Path.of("a.jar"));
    return new CommandReport(route, new AgentNotes(true, 1, 3), comparison);
  }

  @Test
  void showsTimesAndThatTheOutputIsIdentical() throws IOException {
    assertThat(report("out", "out", "out").toText().lines().toList())
        .startsWith(
            "whole process   without      with   ratio",
            "-----------------------------------------",
            "median of 2     2.000 s   1.250 s   1.60x",
            "fastest         1.500 s   1.000 s   1.50x",
            "exit code             0         0",
            "Standard output was identical in all runs.",
            "Calls of Arena.ofConfined() that the agent rewrote: 3, in 1 class.");
  }

  @Test
  void saysThatTheOutputDiffers() throws IOException {
    assertThat(report("out", "out", "other").toText())
        .contains("Standard output DIFFERED with the agent.");
  }

  @Test
  void doesNotBlameTheAgentForOutputThatChangesAnyway() throws IOException {
    assertThat(report("out", "another", "other").toText())
        .contains("differs from run to run, without the agent too");
  }

  @Test
  void isJson() throws IOException {
    JsonObject json = report("out", "out", "out").toJson();
    assertThat(json.get("command")).hasToString("[\"java\",\"Main\"]");
    assertThat(json.get("agentThrough").getAsString()).isEqualTo("argument");
    assertThat(json.get("identical").getAsBoolean()).isTrue();
    assertThat(json.get("ratio").getAsDouble()).isEqualTo(1.6);
    assertThat(json.get("without"))
        .hasToString(
            "{\"medianSeconds\":2.0,\"fastestSeconds\":1.5,\"exitCode\":0,\"seconds\":[1.5,2.5]}");
  }
}
