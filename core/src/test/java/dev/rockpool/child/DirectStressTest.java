package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No spurious OutOfMemoryError, whatever the collector, and whether it is fast or slow. A second
 * each; {@code -Drockpool.stress.seconds=120} for longer.
 */
class DirectStressTest {
  private static final int SECONDS = Integer.getInteger("rockpool.stress.seconds", 1);

  @ParameterizedTest
  @CsvSource({"G1, 0", "Parallel, 0", "Serial, 0", "Z, 0", "G1, 200", "Serial, 200"})
  void neverOutOfMemoryWhileWhatIsLiveFits(String collector, String liveHeapMebibytes)
      throws Exception {
    assumeFalse(
        collector.equals("Z") && OS.WINDOWS.isCurrentOs(), "Wine reserves no memory for ZGC");
    Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Xmx400m", "-XX:+Use" + collector + "GC")
            .patientFor(SECONDS)
            .run(DirectStress.class, "" + SECONDS, liveHeapMebibytes);
    assertThat(result.value("failures")).as(result.toString()).isEqualTo("0");
    assertThat(Long.parseLong(result.value("allocations"))).isPositive();
    assertThat(result.value("reserved in the end")).isEqualTo("0");
    assertThat(result.err()).isEmpty();
  }
}
