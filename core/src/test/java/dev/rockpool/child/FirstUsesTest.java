package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A first use without stack or heap fails, and a later one succeeds: no class stays broken. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no close")
class FirstUsesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "arena then pool",
        "pool",
        "statistics",
        "global",
        "direct",
        "direct, and the JDK's classes",
        "automatic",
        "error text",
        "wait"
      })
  void partsWorkAfterAFirstUseWithoutRoom(String what) throws Exception {
    requireWorking(HeapEnd.jvm().run(FirstUses.class, "heap", what));
    for (String fill : new String[] {"1", "2"}) {
      requireWorking(
          ChildJvm.onClassPath()
              .with("--enable-native-access=ALL-UNNAMED")
              .run(FirstUses.class, "stack", what, fill));
    }
  }

  private static void requireWorking(ChildJvm.Result result) {
    assertThat(Integer.parseInt(result.value("failures"))).isPositive();
    assertThat(result.value("works")).isEqualTo("true");
  }
}
