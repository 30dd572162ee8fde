package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
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
    "ConfinedAllocation.Interpreted.threadLocalPool, false"
  })
  void leavesOutContestantsThatAreOfNoInterestThere(String name, boolean isMeasured) {
    List<String> arguments = Plan.benchmarks(null, SETTINGS).arguments();

    // -e takes a pattern, and leaves out each benchmark in whose name that is found.
    boolean leftOut = false;
    for (int i = 0; i + 1 < arguments.size(); i++) {
      if (arguments.get(i).equals("-e")) {
        leftOut |= Pattern.compile(arguments.get(i + 1)).matcher(name).find();
      }
    }

    assertThat(!leftOut).isEqualTo(isMeasured);
  }

  @Test
  void filterAndSettingsArePassedOn() {
    assertThat(Plan.benchmarks("Empty", SETTINGS).arguments())
        .startsWith("Empty")
        .endsWith("-prof", "gc");
    assertThat(Plan.benchmarks(null, SETTINGS).arguments()).startsWith(".*");
  }

  @Test
  void sweepHasEachSizeUpTo64() {
    List<String> arguments = Plan.sweep(SETTINGS).arguments();

    assertThat(arguments).endsWith("-prof", "gc");
    assertThat(arguments.get(arguments.indexOf("-p") + 1))
        .startsWith("size=0,1,2,")
        .endsWith(",63,64");
  }
}
