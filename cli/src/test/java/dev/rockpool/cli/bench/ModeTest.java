package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contestants of each mode, and their names there. */
class ModeTest {
  @ParameterizedTest
  @CsvSource({
    "EmptyArena.jdk, PLATFORM, EmptyArena, jdk",
    "EmptyArena.rockpool, C1, EmptyArena, rockpool",
    "EmptyArena.jdk, AGENT, EmptyArena, agent",
    "EmptyArena.rockpool, AGENT, EmptyArena, agent + rockpool",
    "EmptyArena.rockpool, VIRTUAL, EmptyArena, rockpool",
    "EmptyArena.jdk, VIRTUAL_AGENT, EmptyArena, agent",
    "EmptyArena.rockpool, VIRTUAL_OPENED, EmptyArena, opened",
    "EmptyArena.jdk, VIRTUAL_OPENED, EmptyArena, opened + jdk",
    "direct.DirectByteBufferAlloc.OfFourThreads.jdk, PLATFORM,"
        + " DirectByteBufferAlloc.OfFourThreads, jdk",
    "ArenaPoolBench.confined, PLATFORM, ArenaPoolBench, jdk",
    "ArenaPoolBench.pooled, PLATFORM, ArenaPoolBench, ownPool",
    "ArenaPoolFromBench.pooledString, PLATFORM, ArenaPoolFromBench String, ownPool",
    "ArenaPoolBench.confined2, VIRTUAL, ArenaPoolBench 2, jdk",
    "PointsAlloc.circle_by_ptr, VIRTUAL_AGENT, PointsAlloc by_ptr, agent",
    "CaptureStateUtilBench.explicitAllocationFail, PLATFORM, CaptureStateUtilBench Fail, jdk",
    "CaptureStateUtilBench.adaptedSysCallFail, VIRTUAL_OPENED, CaptureStateUtilBench Fail, opened",
    "CaptureStateUtilBench.tlAllocationSuccess, VIRTUAL, CaptureStateUtilBench Success, ownPool"
  })
  void readsWorkloadAndContestantFromTheName(
      String name, Mode mode, String workload, String contestant) {
    Result result = Samples.result(Samples.OLD, mode, 1, 1, name);

    assertThat(result.workload()).isEqualTo(workload);
    assertThat(result.contestant()).isEqualTo(contestant);
  }

  /** The modes, in the order of their declaration, as 1 where it is measured, 2 if quick, too. */
  @ParameterizedTest
  @CsvSource({
    // platform, agent, virtual, opened, with agent, interpreted, C1
    "ConfinedAllocation.jdk, 2220211",
    "ConfinedAllocation.rockpool, 2022011",
    "ConfinedAllocation.ownPool, 1000000",
    "ConfinedAllocation.lwjglStack, 2000000",
    "TwoOpenArenas.jdk, 2210100",
    "TwoOpenArenas.rockpool, 2011000",
    "EmptyArena.nothing, 2000000",
    "EmptyArena.jdk, 2200000",
    "ArenaPoolBench.confined2, 1010000",
    "ArenaPoolBench.pooled2, 1011000",
    "PointsAlloc.circle_by_value, 2210100",
    "PointsAlloc.circle_by_ptr, 2010000",
    "CaptureStateUtilBench.adaptedSysCallFail, 2011100",
    "CaptureStateUtilBench.preallocatedFail, 1010000",
    "direct.DirectByteBufferAlloc.OfFourThreads.jdk, 1000000",
    "direct.DirectByteBufferChurn.jdk, 1000000",
    "Recording.one, 0000000"
  })
  void measuresContestantsWhereTheyAreOfInterest(String name, String where) {
    for (Mode mode : Mode.values()) {
      int expected = where.charAt(mode.ordinal()) - '0';

      assertThat(isMeasured(name, mode, null, false)).as("%s", mode).isEqualTo(expected > 0);
      assertThat(isMeasured(name, mode, null, true)).as("quick, %s", mode).isEqualTo(expected > 1);
      assertThat(isMeasured(name, mode, "[.]", true)).as("filter %s", mode).isEqualTo(expected > 0);
      assertThat(isMeasured(name, mode, "Nobody", false)).isFalse();
    }
  }

  private static boolean isMeasured(
      String name, Mode mode, @Nullable String filter, boolean quick) {
    return isMeasured(name, mode.arguments(filter, quick));
  }

  /** As JMH does it: patterns are looked for in the full name, and -e has the last word. */
  private static boolean isMeasured(String name, List<String> arguments) {
    String benchmark = "dev.rockpool.bench." + name;
    for (int i = 1; i < arguments.size() && arguments.get(i).equals("-e"); i += 2) {
      if (Pattern.compile(arguments.get(i + 1)).matcher(benchmark).find()) {
        return false;
      }
    }
    return Pattern.compile(arguments.getFirst()).matcher(benchmark).find();
  }

  @Test
  void modeIsAnOptionForTheJvmsOfJmh() {
    assertThat(Mode.VIRTUAL_AGENT.arguments(null, false))
        .endsWith(
            "-jvmArgsAppend", "-Djmh.executor=VIRTUAL -javaagent:agent/target/rockpool-agent.jar");
    assertThat(Mode.PLATFORM.arguments(null, false)).doesNotContain("-jvmArgsAppend");
  }

  @Test
  void sweepHasEachSizeUpTo64() {
    List<String> sweep = Mode.AGENT.sweep();

    assertThat(sweep.getLast()).startsWith("size=0,1,2,").endsWith(",63,64");
    assertThat(isMeasured("ConfinedAllocation.jdk", sweep)).isTrue();
    assertThat(isMeasured("ConfinedAllocation.rockpool", sweep)).isFalse();
    assertThat(isMeasured("LargerAllocation.jdk", sweep)).isFalse();
  }
}
