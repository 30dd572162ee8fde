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

  /** The results of the workloads: the last number in each line of the table. */
  private static List<String> results(Exit outcome) {
    assertThat(outcome.code()).as(outcome.errText()).isZero();
    assertThat(outcome.outText()).startsWith("SQLite 3.");
    return outcome
        .outText()
        .lines()
        .skip(3)
        .map(line -> line.replaceFirst("(\\w+)( +[0-9,.]+){4} B +(-?\\d+)   .*", "$1 $3"))
        .toList();
  }

  @Test
  void comesToTheSameWithTheAgentAndWithout() {
    Exit without = java("-Dsqlite.seconds=0.05", "-jar", JAR);
    Exit with = java("-Dsqlite.seconds=0.05", AGENT + "=verbose", "-jar", JAR);

    assertThat(without.errText()).isEmpty();
    assertThat(with.errText())
        .contains("examples.sqlite.Database: 2 call sites of Arena.ofConfined() rewritten")
        .contains("examples.sqlite.Statement: 1 call site of Arena.ofConfined() rewritten");
    assertThat(results(with))
        .hasSameSizeAs(Workload.values())
        .allMatch(line -> line.matches("\\w+ -?\\d+"))
        .isEqualTo(results(without));
  }

  @Test
  void marksFiguresOfAJvmThatDoesNotCompile() {
    String[] options = {"-Xint", "-Dsqlite.seconds=0.01", "-jar", JAR, "short"};
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
