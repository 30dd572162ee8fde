package dev.rockpool.examples.sqlite.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.examples.sqlite.NeedsSqlite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program, with the agent and without, and what the command line makes of it. */
@NeedsSqlite
class ExampleIT {
  private static final Path HOME = Path.of(System.getProperty("rockpool.home"));
  private static final String JAR = HOME + "/examples/sqlite/target/rockpool-example-sqlite.jar";
  private static final String AGENT = "-javaagent:" + System.getProperty("rockpool.agent.jar");

  private final Map<String, String> environment = new HashMap<>();

  @TempDir private Path folder;

  private record Outcome(int exitCode, String out, String err) {}

  private Outcome java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    return new Outcome(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  /** {@code ./rockpool example ARGUMENTS}. */
  private Outcome example(String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add("-Drockpool.home=" + HOME);
    all.addAll(List.of("-jar", System.getProperty("rockpool.cli.jar"), "example"));
    all.addAll(List.of(arguments));
    return java(all.toArray(String[]::new));
  }

  /** The results of the workloads: the sixth value in each line. */
  private static List<String> results(Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out().lines().map(line -> line.split(",", -1)[5]).toList();
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
  void marksFiguresOfAJvmThatDoesNotCompile() throws Exception {
    String[] options = {"-Xint", "-jar", JAR, "--seconds", "0.01", "scan"};
    assertThat(java(options).out()).contains("finds one number (not compiled yet when measured)");
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
    Outcome outcome = example("sqlite", "--quick", "--json", json.toString(), "short");
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .containsPattern("\nshort +[0-9]")
        .contains("Results were identical without and with the agent.");

    Path comparison = HOME.resolve("examples/sqlite/target/comparison");
    assertThat(Files.readString(comparison.resolve("short.json")))
        .contains("\"site\": \"dev.rockpool.examples.sqlite.Statement.")
        .contains("\"site\": \"dev.rockpool.examples.sqlite.Database.");
    assertThat(comparison.resolve("short.html")).isNotEmptyFile();
    assertThat(Files.readString(comparison.resolve("comparison.md"))).contains("| short |");

    assertThat(number("arenasPerRow", json)).isBetween(0.99, 1.01);
    assertThat(number("forecast", json)).isFinite();
  }

  @Test
  void refusesWhatIsNotThere() throws Exception {
    assertThat(example("nonsense"))
        .satisfies(outcome -> assertThat(outcome.exitCode()).isEqualTo(1))
        .satisfies(
            outcome ->
                assertThat(outcome.err())
                    .startsWith("rockpool: An example must be a folder of ")
                    .endsWith(": there is no 'nonsense'\n"));
    assertThat(example("sqlite", "scan", "nonsense"))
        .satisfies(outcome -> assertThat(outcome.exitCode()).isEqualTo(1))
        .satisfies(
            outcome ->
                assertThat(outcome.err())
                    .isEqualTo(
                        "rockpool: Workloads of sqlite are [short, insert, lookup, select, scan]:"
                            + " not all of these are, [scan, nonsense]\n"));
  }

  @Test
  void refusesAnAgentThatTheEnvironmentLoads() throws Exception {
    environment.put("JDK_JAVA_OPTIONS", AGENT);
    Outcome outcome = example("sqlite", "scan");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains(
            "rockpool: The agent must be at work on its side alone: it was not so in a run without"
                + " the agent; does an environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS)");
  }

  private static double number(String name, Path json) throws IOException {
    Matcher matcher =
        Pattern.compile("\"" + name + "\": ([-+.0-9Ee]+)").matcher(Files.readString(json));
    assertThat(matcher.find()).as(name).isTrue();
    return Double.parseDouble(matcher.group(1));
  }
}
