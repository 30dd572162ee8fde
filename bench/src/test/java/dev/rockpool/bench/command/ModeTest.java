package dev.rockpool.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.Options;

/** The contestants of each mode, and their names there. */
class ModeTest {
  private static final String PACKAGE = "dev.rockpool.bench.";

  @ParameterizedTest
  @CsvSource({
    "EmptyArena.jdk, PLATFORM, EmptyArena, jdk",
    "CallDepth.OfText.jdk, PLATFORM, CallDepth.OfText, jdk",
    "EmptyArena.jdk, AGENT, EmptyArena, agent",
    "EmptyArena.rockpool, AGENT, EmptyArena, agent + rockpool",
    "EmptyArena.rockpool, VIRTUAL, EmptyArena, rockpool",
    "EmptyArena.jdk, VIRTUAL_AGENT, EmptyArena, agent",
    "EmptyArena.rockpool, VIRTUAL_OPENED, EmptyArena, opened",
    "direct.DirectByteBufferAlloc.OfFourThreads.jdk, PLATFORM,"
        + " DirectByteBufferAlloc.OfFourThreads, jdk",
    "'direct.DirectByteBufferAlloc.rockpool, sampled', PLATFORM,"
        + " 'DirectByteBufferAlloc, sampled', rockpool",
    "ArenaPoolBench.confined, PLATFORM, ArenaPoolBench, jdk",
    "ArenaPoolFromBench.pooledString, PLATFORM, ArenaPoolFromBench String, ownPool",
    "ArenaPoolBench.confined2, VIRTUAL, ArenaPoolBench 2, jdk",
    "PointsAlloc.circle_by_ptr, VIRTUAL_AGENT, PointsAlloc by_ptr, agent",
    "CaptureStateUtilBench.explicitAllocationFail, PLATFORM, CaptureStateUtilBench Fail, jdk",
    "CaptureStateUtilBench.adaptedSysCallFail, VIRTUAL_OPENED, CaptureStateUtilBench Fail, opened",
    "CaptureStateUtilBench.tlAllocationSuccess, VIRTUAL, CaptureStateUtilBench Success, ownPool"
  })
  void workloadAndContestantAreReadFromTheName(
      String name, Mode mode, String workload, String contestant) {
    Figure figure = Figure.of(mode, PACKAGE + name, new TreeMap<>(), 1, 1, 1, 0);

    assertThat(figure.workload()).isEqualTo(workload);
    assertThat(figure.contestant()).isEqualTo(contestant);
  }

  /** The modes, in the order of their declaration, as 1 where it is measured, 2 if quick, too. */
  @ParameterizedTest
  @CsvSource({
    // platform, agent, virtual, opened, virtual with agent
    "ConfinedAllocation.jdk, 22202",
    "ConfinedAllocation.rockpool, 20220",
    "ConfinedAllocation.ownPool, 10000",
    "ConfinedAllocation.lwjglStack, 20000",
    "ConfinedAllocation.reusedSegment, 20000",
    "TwoOpenArenas.jdk, 22101",
    "TwoOpenArenas.rockpool, 20110",
    "EmptyArena.nothing, 20000",
    "EmptyArena.jdk, 22000",
    "ArenaPoolBench.confined2, 10100",
    "ArenaPoolBench.pooled2, 10110",
    "PointsAlloc.circle_by_value, 22101",
    "PointsAlloc.circle_by_ptr, 20100",
    "CaptureStateUtilBench.adaptedSysCallFail, 20111",
    "CaptureStateUtilBench.preallocatedFail, 10100",
    "direct.DirectByteBufferAlloc.OfFourThreads.jdk, 10000",
    "direct.DirectByteBufferChurn.jdk, 10000",
    "Recording.one, 00000"
  })
  void contestantsAreMeasuredWhereTheyAreOfInterest(String name, String where)
      throws CommandLineOptionException {
    for (Mode mode : Mode.values()) {
      int expected = where.charAt(mode.ordinal()) - '0';

      assertThat(isMeasured(name, mode.benchmarks("", false, List.of()).build()))
          .as("%s", mode)
          .isEqualTo(expected > 0);
      assertThat(isMeasured(name, mode.benchmarks("", true, List.of()).build()))
          .as("quick, %s", mode)
          .isEqualTo(expected > 1);
      assertThat(isMeasured(name, mode.benchmarks("[.]", true, List.of()).build()))
          .as("filter, %s", mode)
          .isEqualTo(expected > 0);
    }
  }

  /** As JMH does it: patterns are looked for in the full name, and exclusions win. */
  private static boolean isMeasured(String name, Options options) {
    return finds(options.getIncludes(), PACKAGE + name)
        && !finds(options.getExcludes(), PACKAGE + name);
  }

  private static boolean finds(List<String> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> Pattern.compile(pattern).matcher(name).find());
  }

  @Test
  void sweepHasEachSizeUpTo64() throws CommandLineOptionException {
    Options sweep = Mode.AGENT.sweep(List.of("-f", "1")).build();

    assertThat(sweep.getParameter("size").get()).hasSize(65).contains("0", "64");
    assertThat(sweep.getForkCount().get()).isEqualTo(1);
    assertThat(isMeasured("ConfinedAllocation.jdk", sweep)).isTrue();
    assertThat(isMeasured("ConfinedAllocation.rockpool", sweep)).isFalse();
    assertThat(isMeasured("LargerAllocation.jdk", sweep)).isFalse();
  }
}
