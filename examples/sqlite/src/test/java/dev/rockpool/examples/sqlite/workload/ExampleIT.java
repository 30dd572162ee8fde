package dev.rockpool.examples.sqlite.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.examples.sqlite.NeedsSqlite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program, with the agent and without, and what the command line makes of it. */
@NeedsSqlite
class ExampleIT {
  private static final Path HOME = Path.of(System.getProperty("rockpool.home"));
  private static final String JAR = HOME + "/examples/sqlite/target/rockpool-example-sqlite.jar";
  private static final String AGENT = "-javaagent:" + System.getProperty("rockpool.agent.jar");

  @TempDir private Path folder;

  private record Outcome(int exitCode, String out, String err) {}

  private Outcome java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Outcome(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  /** What the workloads came to: the last value in each line. */
  private static List<String> results(Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out().lines().map(line -> line.substring(line.lastIndexOf(',') + 1)).toList();
  }

  @Test
  void comesToTheSameWithTheAgentAndWithout() throws Exception {
    Outcome without = java("-jar", JAR, "--csv", "--seconds", "0.05");
    Outcome with = java(AGENT + "=verbose", "-jar", JAR, "--csv", "--seconds", "0.05");

    assertThat(without.err()).isEmpty();
    assertThat(with.err())
        .contains("examples.sqlite.Database: 2 call sites of Arena.ofConfined() rewritten")
        .contains("examples.sqlite.Statement: 1 call site of Arena.ofConfined() rewritten");
    assertThat(results(with)).hasSize(1 + Workload.values().length).isEqualTo(results(without));
  }

  @Test
  void showsATableToPeople() throws Exception {
    Outcome outcome = java("-jar", JAR, "--seconds", "0.01", "select", "scan");
    assertThat(outcome.out())
        .startsWith("SQLite 3.")
        .containsPattern("\nworkload +rows a second +ns a row +fastest +garbage a row +a row\n")
        .containsPattern("\nselect( +[0-9,.]+){4} B   read a row with two strings")
        .containsPattern("\nscan( +[0-9,.]+){4} B   a query that looks at 20,000 rows");
  }

  @Test
  void saysWhatToDoWhereThereIsNoSqlite() throws Exception {
    Outcome outcome = java("-Dsqlite.library=/no/such/library", "-jar", JAR);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("SQLite's shared library must be on this system: none of [/no/such/library]")
        .doesNotContain("\tat ");
  }

  /** A recording of the binding as it is names it, and the forecast is for what it does. */
  @Test
  void isComparedWithItsForecast() throws Exception {
    Path json = folder.resolve("comparison.json");
    Outcome outcome =
        java(
            "-Drockpool.home=" + HOME,
            "-jar",
            System.getProperty("rockpool.cli.jar"),
            "example",
            "sqlite",
            "--quick",
            "--json",
            json.toString(),
            "short",
            "scan");
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .containsPattern("\nshort +[0-9]")
        .containsPattern("\nscan +[0-9]")
        .contains("Results were identical without and with the agent.");

    Path comparison = HOME.resolve("examples/sqlite/target/comparison");
    assertThat(Files.readString(comparison.resolve("short.json")))
        .contains("\"site\": \"dev.rockpool.examples.sqlite.Statement\"")
        .contains("\"site\": \"dev.rockpool.examples.sqlite.Database\"");
    assertThat(comparison.resolve("scan.html")).isNotEmptyFile();
    assertThat(Files.readString(comparison.resolve("comparison.md"))).contains("| short |");

    List<Double> arenas = numbers("arenasPerRow", Files.readString(json));
    assertThat(arenas.getFirst()).as("short").isBetween(0.99, 1.01);
    List<Double> forecasts = numbers("forecastNanosPerRow", Files.readString(json));
    assertThat(forecasts.getFirst() / arenas.getFirst()).isBetween(1.0, 100.0);
  }

  private static List<Double> numbers(String name, String json) {
    return Pattern.compile("\"" + name + "\": ([-+.0-9Ee]+)")
        .matcher(json)
        .results()
        .map(match -> Double.valueOf(match.group(1)))
        .toList();
  }
}
