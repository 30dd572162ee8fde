package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchmarkIdTest {
  @ParameterizedTest
  @CsvSource({
    "dev.rockpool.bench.EmptyArena.jdk, EmptyArena, '', jdk",
    "dev.rockpool.bench.EmptyArena.C1.rockpool, EmptyArena, C1, rockpool",
    "dev.rockpool.bench.EmptyArena.UnderAgent.jdk, EmptyArena, '', agent",
    "dev.rockpool.bench.EmptyArena.UnderAgent.rockpool, EmptyArena, '', agent + rockpool",
    "EmptyArena.jdk, EmptyArena, '', jdk"
  })
  void readsWorkloadConditionsAndContestantFromTheName(
      String name, String workload, String conditions, String contestant) {
    BenchmarkId id = BenchmarkId.of(name, Map.of());

    assertThat(id.workload()).isEqualTo(workload);
    assertThat(id.conditions()).isEqualTo(conditions);
    assertThat(id.contestant()).isEqualTo(contestant);
  }

  @Test
  void isShownWithItsParameters() {
    assertThat(Samples.id("A.jdk", "size", "5", "length", "2"))
        .hasToString("A.jdk length=2 size=5");
    assertThat(Samples.id("A.jdk")).hasToString("A.jdk");
  }
}
