package dev.rockpool.examples.sqlite.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.examples.sqlite.NeedsSqlite;
import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Exit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The packaged program, with the agent and without. */
@NeedsSqlite
class ExampleIT {
  private static final String JAR =
      System.getProperty("rockpool.home") + "/examples/sqlite/target/rockpool-example-sqlite.jar";
  private static final String AGENT = "-javaagent:" + System.getProperty("rockpool.agent.jar");

  private static Exit java(String... arguments) {
    return Jvm.plain().patientFor(240).run(arguments);
  }

  /** The results of the workloads: the sixth value in each line. */
  private static List<String> results(Exit outcome) {
    assertThat(outcome.code()).as(outcome.errText()).isZero();
    return outcome.outText().lines().map(line -> line.split(",", -1)[5]).toList();
  }

  @Test
  void comesToTheSameWithTheAgentAndWithout() {
    Exit without = java("-jar", JAR, "--csv", "--seconds", "0.05");
    Exit with = java(AGENT + "=verbose", "-jar", JAR, "--csv", "--seconds", "0.05");

    assertThat(without.errText()).isEmpty();
    assertThat(with.errText())
        .contains("examples.sqlite.Database: 2 call sites of Arena.ofConfined() rewritten")
        .contains("examples.sqlite.Statement: 1 call site of Arena.ofConfined() rewritten");
    assertThat(results(with)).hasSize(1 + Workload.values().length).isEqualTo(results(without));
  }

  @Test
  void showsATableToPeople() {
    Exit outcome = java("-jar", JAR, "--seconds", "0.01", "short", "select");
    assertThat(outcome.outText())
        .startsWith("SQLite 3.")
        .containsPattern("\nworkload +rows a second +ns a row +fastest +garbage a row +a row\n")
        .containsPattern("\nshort( +[0-9,.]+){4} B   a short statement")
        .containsPattern("\nselect( +[0-9,.]+){4} B   read a row with two strings");
  }

  @Test
  void marksFiguresOfAJvmThatDoesNotCompile() {
    String[] options = {"-Xint", "-jar", JAR, "--seconds", "0.01", "short"};
    assertThat(java(options).outText()).contains("reset (not compiled yet when measured)");
  }

  @Test
  void saysWhatToDoWhereThereIsNoSqlite() {
    Exit outcome = java("-Dsqlite.library=/no/such/library", "-jar", JAR);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.outText()).isEmpty();
    assertThat(outcome.errText())
        .startsWith("SQLite's shared library must be on this system: none of [/no/such/library]")
        .doesNotContain("\tat ");
  }
}
