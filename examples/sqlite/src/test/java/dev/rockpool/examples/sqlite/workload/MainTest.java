package dev.rockpool.examples.sqlite.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.demo.Timer;
import dev.rockpool.examples.sqlite.NeedsSqlite;
import dev.rockpool.examples.sqlite.workload.Workload.Batch;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@NeedsSqlite
class MainTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nonsense      | One of short, lookup, select.
          --seconds 0   | --seconds must be more than 0: it is 0.0
          --seconds NaN | --seconds must be more than 0: it is NaN
          """)
  void refusesACommandLineThatMakesNoSense(String line, String rule) {
    int exitCode = Main.commandLine().setErr(new PrintWriter(err)).execute(line.split(" "));

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains(rule);
  }

  @ParameterizedTest
  @EnumSource
  void comesToTheSameEachTime(Workload workload) {
    try (Batch batch = workload.prepare()) {
      new Timer(1e6, 2, 2).measure(batch); // refuses another result
      assertThat(batch.first).isNotZero();
    }
  }

  @Test
  void stepsToARowEachTime() {
    try (Batch batch = Workload.SHORT.prepare()) {
      batch.run();
      assertThat(batch.result).isEqualTo(batch.rows);
    }
  }
}
