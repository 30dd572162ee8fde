package dev.rockpool.examples.sqlite.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.examples.sqlite.NeedsSqlite;
import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private Exit java(String... arguments) {
    Jvm<?> jvm = Jvm.plain().patientFor(240);
    environment.forEach(jvm::environment);
    return jvm.run(arguments);
  }

  /** {@code ./rockpool example ARGUMENTS}. */
  private Exit example(String... arguments) {
    List<String> all = new ArrayList<>();
    all.add("-Drockpool.home=" + HOME);
    all.addAll(List.of("-jar", System.getProperty("rockpool.cli.jar"), "example"));
    all.addAll(List.of(arguments));
    return java(all.toArray(String[]::new));
  }

  /** The results of the workloads: the sixth value in each line. */
  private static List<String> results(Exit outcome) {
    assertThat(outcome.code()).as(outcome.errText()).isZero();
    return outcome.outText().lines().map(line -> line.split(",", -1)[5]).toList();
  }

  @Test
  void comesToTheSameWithTheAgentAndWithout() throws Exception {
    Exit without = java("-jar", JAR, "--csv", "--seconds", "0.05");
    Exit with = java(AGENT + "=verbose", "-jar", JAR, "--csv", "--seconds", "0.05");

    assertThat(without.errText()).isEmpty();
    assertThat(with.errText())
        .contains("examples.sqlite.Database: 2 call sites of Arena.ofConfined() rewritten")
        .contains("examples.sqlite.Statement: 1 call site of Arena.ofConfined() rewritten");
    assertThat(results(with)).hasSize(1 + Workload.values().length).isEqualTo(results(without));
  }

  @Test
  void showsATableToPeople() throws Exception {
    Exit outcome = java("-jar", JAR, "--seconds", "0.01", "select", "scan");
    assertThat(outcome.outText())
        .startsWith("SQLite 3.")
        .containsPattern("\nworkload +rows a second +ns a row +fastest +garbage a row +a row\n")
        .containsPattern("\nselect( +[0-9,.]+){4} B   read a row with two strings")
        .containsPattern("\nscan( +[0-9,.]+){4} B   a query that looks at 20,000 rows");
  }

  @Test
  void marksFiguresOfAJvmThatDoesNotCompile() throws Exception {
    String[] options = {"-Xint", "-jar", JAR, "--seconds", "0.01", "scan"};
    assertThat(java(options).outText())
        .contains("finds one number (not compiled yet when measured)");
  }

  @Test
  void saysWhatToDoWhereThereIsNoSqlite() throws Exception {
    Exit outcome = java("-Dsqlite.library=/no/such/library", "-jar", JAR);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.outText()).isEmpty();
    assertThat(outcome.errText())
        .startsWith("SQLite's shared library must be on this system: none of [/no/such/library]")
        .doesNotContain("\tat ");
  }

  @Test
  void isRunWithoutAndWithTheAgent() throws Exception {
    Path json = folder.resolve("comparison.json");
    Exit outcome = example("sqlite", "--quick", "--json", json.toString(), "short");
    assertThat(outcome.code()).as(outcome.errText()).isZero();
    assertThat(outcome.outText())
        .containsPattern("\nshort +[0-9]")
        .contains("Results were identical without and with the agent.");
    assertThat(HOME.resolve("examples/sqlite/target/comparison/comparison.md"))
        .content()
        .contains("| short |");
    assertThat(Files.readString(json)).contains("\"ratio\": ");
  }

  @Test
  void refusesWhatIsNotThere() throws Exception {
    Exit noWorkload = example("sqlite", "scan", "nonsense");
    assertThat(noWorkload.code()).isEqualTo(2);
    assertThat(noWorkload.errText())
        .startsWith(
            "rockpool: Workloads of sqlite are [short, insert, lookup, select, scan]: not all of"
                + " these are, [scan, nonsense]\n");
  }

  @Test
  void refusesAnAgentThatTheEnvironmentLoads() throws Exception {
    environment.put("JDK_JAVA_OPTIONS", AGENT);
    Exit outcome = example("sqlite", "scan");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.errText())
        .contains(
            "rockpool: The agent must be at work on its side alone: it was not so in a run without"
                + " the agent; does an environment variable (JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS)");
  }
}
