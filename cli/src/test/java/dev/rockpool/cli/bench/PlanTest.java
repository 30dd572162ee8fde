package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
  private static final List<String> SETTINGS = List.of("-prof", "gc");

  @ParameterizedTest
  @CsvSource({
    "ConfinedAllocation.jdk, true",
    "ConfinedAllocation.lwjglStack, true",
    "ConfinedAllocation.UnderAgent.jdk, true",
    "ConfinedAllocation.UnderAgent.rockpool, false",
    "ConfinedAllocation.C1.rockpool, true",
    "ConfinedAllocation.C1.ownPool, false",
    "ConfinedAllocation.Interpreted.jdk, true",
    "ConfinedAllocation.Interpreted.threadLocalPool, false",
    "TwoOpenArenas.OfVirtual.jdk, true",
    "TwoOpenArenas.OfVirtual.rockpool, true",
    "TwoOpenArenas.OfVirtual.lwjglStack, false",
    "TwoOpenArenas.OfVirtualOpened.rockpool, true",
    "TwoOpenArenas.OfVirtualOpened.jdk, false",
    "TwoOpenArenas.OfVirtualUnderAgent.jdk, true",
    "TwoOpenArenas.OfVirtualUnderAgent.rockpool, false",
    "ArenaPoolBench.OfVirtual.confined2, true",
    "ArenaPoolBench.OfVirtualOpened.pooled2, true",
    "ArenaPoolBench.OfVirtualOpened.confined2, false",
    "ContendedSlots.oneSlot, true"
  })
  void leavesOutContestantsThatAreOfNoInterestThere(String name, boolean isMeasured) {
    assertThat(isMeasured(name, Plan.everything(false, SETTINGS))).isEqualTo(isMeasured);
    assertThat(isMeasured(name, Plan.filtered("", SETTINGS))).isEqualTo(isMeasured);
  }

  @ParameterizedTest
  @CsvSource({
    "EmptyArena.nothing, true",
    "ConfinedAllocation.UnderAgent.jdk, true",
    "ConfinedAllocation.UnderAgent.rockpool, false",
    "ConfinedAllocation.OfVirtualOpened.rockpool, true",
    "ConfinedAllocation.threadLocalPool, false",
    "ConfinedAllocation.C1.rockpool, false",
    "TwoOpenArenas.ownPool, false",
    "TwoOpenArenas.lwjglStack, true",
    "TwoOpenArenas.OfVirtual.rockpool, false",
    "ArenaPoolFromBench.pooledInt, false",
    "ContendedSlots.oneSlot, true"
  })
  void leavesOutMoreWhenQuick(String name, boolean isMeasured) {
    assertThat(isMeasured(name, Plan.everything(true, SETTINGS))).isEqualTo(isMeasured);
  }

  /** As JMH does it: patterns are looked for in the full name, and -e has the last word. */
  private static boolean isMeasured(String name, Plan plan) {
    String benchmark = "dev.rockpool.bench." + name;
    List<String> arguments = plan.arguments();
    boolean included = false;
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).startsWith("-")) {
        String value = arguments.get(++i);
        if (arguments.get(i - 1).equals("-e") && Pattern.compile(value).matcher(benchmark).find()) {
          return false;
        }
      } else {
        included |= Pattern.compile(arguments.get(i)).matcher(benchmark).find();
      }
    }
    return included;
  }

  @Test
  void filterAndSettingsArePassedOn() {
    assertThat(Plan.filtered("Empty", SETTINGS).arguments())
        .startsWith("Empty")
        .endsWith("-prof", "gc");
  }

  @Test
  void sweepHasEachSizeUpTo64() {
    List<String> arguments = Plan.sweep(EnumSet.of(Plan.Sweep.PLATFORM), SETTINGS).arguments();

    assertThat(arguments).endsWith("-prof", "gc");
    assertThat(arguments.get(arguments.indexOf("-p") + 1))
        .startsWith("size=0,1,2,")
        .endsWith(",63,64");
  }

  @ParameterizedTest
  @CsvSource({
    "ConfinedAllocation.jdk, PLATFORM",
    "ConfinedAllocation.rockpool, PLATFORM",
    "ConfinedAllocation.UnderAgent.jdk, PLATFORM",
    "ConfinedAllocation.UnderAgent.rockpool,",
    "ConfinedAllocation.lwjglStack,",
    "LargerAllocation.jdk,",
    "ConfinedAllocation.OfVirtual.jdk, VIRTUAL",
    "ConfinedAllocation.OfVirtual.rockpool, VIRTUAL",
    "ConfinedAllocation.OfVirtual.ownPool,",
    "ConfinedAllocation.OfVirtualOpened.rockpool, VIRTUAL",
    "ConfinedAllocation.OfVirtualUnderAgent.jdk, VIRTUAL"
  })
  void sweepsAreOfPlatformThreadsOfVirtualOnesOrBoth(String name, Plan.@Nullable Sweep sweep) {
    for (Plan.Sweep one : Plan.Sweep.values()) {
      assertThat(isMeasured(name, Plan.sweep(EnumSet.of(one), SETTINGS))).isEqualTo(one == sweep);
    }
    assertThat(isMeasured(name, Plan.sweep(EnumSet.allOf(Plan.Sweep.class), SETTINGS)))
        .isEqualTo(sweep != null);
  }
}
