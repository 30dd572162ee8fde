package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compiled code finds the carrier of a virtual thread anew after each point where the thread may
 * have gone over to another one. With the options for stress, C2 moves code as far as it may.
 */
@Tag("jdk")
class UnmountTest {
  private static final String CARRIER_NOW =
      "-XX:CompileCommand=quiet,dontinline,"
          + ArenasAcrossUnmounts.class.getName()
          + "::carrierNow";

  @ParameterizedTest
  @CsvSource({"1, ''", "4, ''", "4, -XX:+StressLCM -XX:+StressGCM"})
  void blocksMoveFromAndToTheCarrierOfTheMoment(int carriers, String stress) throws Exception {
    ScaleTest.assumeCarriers();
    Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.blocks.per.thread=64")
            .with("--add-opens", "java.base/java.lang=ALL-UNNAMED")
            .with("-Djdk.virtualThreadScheduler.parallelism=" + carriers)
            .with("-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers)
            .with("-XX:+UnlockDiagnosticVMOptions", CARRIER_NOW)
            .with(stress.isEmpty() ? new String[0] : stress.split(" "))
            .run(ArenasAcrossUnmounts.class);

    assertThat(Long.parseLong(result.value("carriers"))).isBetween(1L, (long) carriers);
    assertThat(Long.parseLong(result.value("migrated")) > 0).isEqualTo(carriers > 1);
    assertThat(Long.parseLong(result.value("taken from the carrier"))).isPositive();
    assertThat(Long.parseLong(result.value("kept by the carrier"))).isPositive();
  }
}
