package dev.rockpool.examples.sqlite.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rockpool.demo.Timer;
import dev.rockpool.examples.sqlite.NeedsSqlite;
import dev.rockpool.examples.sqlite.workload.Workload.Batch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@NeedsSqlite
class MainTest {
  @Test
  void refusesAWorkloadThatDoesNotExist() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Workload.of("nonsense"))
        .withMessage("A workload must be one of [short, lookup, select]: it is nonsense");
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
