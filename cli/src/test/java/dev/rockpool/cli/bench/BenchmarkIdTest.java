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
    "dev.rockpool.bench.EmptyArena.OfVirtual.rockpool, EmptyArena, OfVirtual, rockpool",
    "dev.rockpool.bench.EmptyArena.OfVirtualUnderAgent.jdk, EmptyArena, OfVirtual, agent",
    "dev.rockpool.bench.EmptyArena.OfVirtualOpened.rockpool, EmptyArena, OfVirtual, opened",
    "dev.rockpool.bench.EmptyArena.OfVirtualOpened.jdk, EmptyArena, OfVirtual, opened + jdk",
    "EmptyArena.jdk, EmptyArena, '', jdk"
  })
  void readsWorkloadConditionsAndContestantFromTheName(
      String name, String workload, String conditions, String contestant) {
    BenchmarkId id = BenchmarkId.of(name, Map.of());

    assertThat(id.workload()).isEqualTo(workload);
    assertThat(id.conditions()).isEqualTo(conditions);
    assertThat(id.contestant()).isEqualTo(contestant);
  }

  @ParameterizedTest
  @CsvSource({
    "ArenaPoolBench.confined, ArenaPoolBench, '', jdk",
    "ArenaPoolBench.pooled, ArenaPoolBench, '', ownPool",
    "ArenaPoolBench.confined2, ArenaPoolBench 2, '', jdk",
    "ArenaPoolFromBench.pooledString, ArenaPoolFromBench String, '', ownPool",
    "ArenaPoolBench.OfVirtual.confined2, ArenaPoolBench 2, OfVirtual, jdk",
    "PointsAlloc.circle_by_value, PointsAlloc by_value, '', jdk",
    "PointsAlloc.OfVirtualUnderAgent.circle_by_ptr, PointsAlloc by_ptr, OfVirtual, agent",
    "CaptureStateUtilBench.explicitAllocationFail, CaptureStateUtilBench Fail, '', jdk",
    "CaptureStateUtilBench.adaptedSysCallFail, CaptureStateUtilBench Fail, '', rockpool",
    "CaptureStateUtilBench.OfVirtualOpened.adaptedSysCallFail, CaptureStateUtilBench Fail,"
        + " OfVirtual, opened",
    "CaptureStateUtilBench.tlAllocationSuccess, CaptureStateUtilBench Success, '', ownPool",
    "CaptureStateUtilBench.preallocatedFail, CaptureStateUtilBench Fail, '', preallocated",
    "ArenaPoolBench.OfVirtualOpened.pooled, ArenaPoolBench, OfVirtual, opened + ownPool"
  })
  void readsTheNamesOfAProposal(
      String name, String workload, String conditions, String contestant) {
    readsWorkloadConditionsAndContestantFromTheName(name, workload, conditions, contestant);
  }

  @Test
  void isShownWithItsParameters() {
    assertThat(BenchmarkId.of("a.b.A.jdk", Map.of("size", "5", "length", "2")))
        .hasToString("A.jdk length=2 size=5");
    assertThat(BenchmarkId.of("a.b.A.jdk", Map.of())).hasToString("A.jdk");
  }
}
