package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.support.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures for real, as briefly as it can be done; the figures mean nothing. */
class BenchIT {
  private static final String NO_TIME = "-f 1 -wi 1 -w 10ms -i 2 -r 10ms -p size=20";

  @TempDir private Path folder;

  /** Runs {@code rockpool bench}; another JMH on the machine is no reason to fail a build. */
  private ChildProcess bench(String... args) {
    String[] all = Stream.concat(Stream.of("bench"), Stream.of(args)).toArray(String[]::new);
    ProcessBuilder builder = new ProcessBuilder(CommandLineJar.command(all));
    builder.environment().put("JDK_JAVA_OPTIONS", "-Djmh.ignoreLock=true");
    return ChildProcess.run(builder, folder, "bench", Duration.ofMinutes(5));
  }

  @Test
  void measuresInEachKindOfJvmAndWritesTheReport() throws IOException {
    Path out = folder.resolve("report");
    String filter = "(EmptyArena|ConfinedAllocation)[.](jdk|rockpool)$";

    ChildProcess process =
        bench(
            "--filter",
            filter,
            "--mode=platform,agent,virtual,virtual-agent,interpreted,c1",
            "--jmh-args",
            NO_TIME,
            "--out",
            out.toString());

    assertThat(process.exitCode()).as(process::errForMessage).isEqualTo(0);
    assertThat(process.errLines()).anyMatch(line -> line.startsWith("# Run progress: "));
    assertThat(String.join("\n", process.outLines()))
        .contains("ConfinedAllocation, interpreted on JDK ")
        .endsWith("Report: " + out.resolve("index.html"));
    JsonObject json =
        JsonParser.parseString(Files.readString(out.resolve("results.json"))).getAsJsonObject();
    assertThat(json.getAsJsonArray("failures")).isEmpty();
    assertThat(benchmarks(json))
        .containsExactlyInAnyOrder(
            "platform EmptyArena.jdk",
            "platform EmptyArena.rockpool",
            "platform ConfinedAllocation.jdk",
            "platform ConfinedAllocation.rockpool",
            "agent EmptyArena.jdk",
            "agent ConfinedAllocation.jdk",
            "virtual ConfinedAllocation.jdk",
            "virtual ConfinedAllocation.rockpool",
            "virtual-agent ConfinedAllocation.jdk",
            "interpreted ConfinedAllocation.jdk",
            "interpreted ConfinedAllocation.rockpool",
            "c1 ConfinedAllocation.jdk",
            "c1 ConfinedAllocation.rockpool");
    assertThat(out.resolve("index.html")).content().contains("<td>rockpool</td>");
    assertThat(out.resolve("table.txt")).content().contains("rockpool").contains("agent");
    assertThat(out.resolve("table.md")).content().contains("| rockpool |").contains("| agent |");
    assertThat(out.resolve("raw")).isDirectoryContaining("glob:**.json");
    assertThat(out.resolve("raw")).isDirectoryContaining("glob:**.log");
  }

  private static List<String> benchmarks(JsonObject report) {
    return report.getAsJsonArray("results").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(
            result ->
                result.get("kind").getAsString()
                    + " "
                    + result.get("benchmark").getAsString().replace("dev.rockpool.bench.", ""))
        .toList();
  }

  @Test
  void filterThatFindsNothingMakesNoSense() {
    ChildProcess process = bench("--filter", "NoSuchBenchmark");

    assertThat(process.exitCode()).isEqualTo(2);
    assertThat(process.errForMessage())
        .contains("There is no benchmark in whose name --filter=NoSuchBenchmark is found");
  }

  @Test
  void failureOfABenchmarkIsToldAndTheOthersAreKept() throws IOException {
    Path out = folder.resolve("report");

    // The JDK's own arena needs no pool; Rockpool's, with pooling off, has nothing to measure.
    ChildProcess process =
        bench(
            "--filter",
            "EmptyArena[.](jdk|rockpool)",
            "--mode=platform",
            "--jmh-args",
            NO_TIME + " -jvmArgsAppend -Drockpool.block.size=0",
            "--out",
            out.toString());

    assertThat(process.exitCode()).isEqualTo(1);
    assertThat(process.errForMessage()).contains("1 of 2 failed; see ");
    assertThat(out.resolve("table.txt"))
        .content()
        .contains("EmptyArena on JDK ")
        .containsPattern("Failed: EmptyArena.rockpool on JDK .*: see .*-platform.log");
    try (Stream<Path> raw = Files.list(out.resolve("raw"))) {
      assertThat(raw.filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow())
          .content()
          .contains("Pooling is off");
    }
  }
}
