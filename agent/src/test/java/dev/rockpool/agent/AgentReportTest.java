package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.AgentReport.Skip;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A report stays small where a program makes classes without end. */
class AgentReportTest {
  private static final int MANY = 3 * AgentReport.MOST_NAMES;

  private final AgentReport report =
      new AgentReport("test", AgentOptions.parse("exclude=lib.*,verbose=off"));

  @Test
  void namesOfRewrittenClassesAreKeptUpToALimitAndTheRestCounted() {
    for (int i = 0; i < MANY; i++) {
      assertThat(report.rewrites("app/Made" + i)).isTrue();
    }

    assertThat(report.rewrites("app/Made0")).isFalse();
    assertThat(report.rewrittenClasses()).isEqualTo(MANY);
  }

  @ParameterizedTest
  @EnumSource
  void namesOfSkippedClassesAreKeptUpToALimitAndTheRestCounted(Skip reason) {
    for (int i = 0; i < MANY; i++) {
      report.skips("app/Made" + i, reason);
    }
    report.skips("app/Made0", reason);

    assertThat(report.skippedClasses()).containsEntry(reason.text, MANY);
  }

  @Test
  void namesAreBinaryAndSortedAndLackRefusedClasses() {
    report.rewrites("app/Main");
    report.rewrites("app/Both");
    report.rewrites("app/First");
    report.skips("app/Both", Skip.REFUSED);

    assertThat(report.rewrittenNames()).containsExactly("app.First", "app.Main");
    assertThat(report.skippedNames())
        .containsEntry(Skip.REFUSED.text, List.of("app.Both"))
        .containsEntry(Skip.EXCLUDED.text, List.of());
  }

  @Test
  void beyondTheLimitAnyClassThatTheOptionsCoverMayHaveBeenRewritten() {
    for (int i = 0; i < AgentReport.MOST_NAMES; i++) {
      report.rewrites("app/Made" + i);
    }
    assertThat(report.mayHaveRewritten("app/Made0")).isTrue();
    assertThat(report.mayHaveRewritten("app/Other")).isFalse();

    report.rewrites("app/OneMore");

    assertThat(report.mayHaveRewritten("app/OneMore")).isTrue();
    assertThat(report.mayHaveRewritten("app/Other")).isTrue();
    assertThat(report.mayHaveRewritten("lib/Other")).isFalse();
  }
}
