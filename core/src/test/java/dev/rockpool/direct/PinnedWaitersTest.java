package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No wait depends on a thread that does not run. In a JVM with few carriers. */
class PinnedWaitersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void allGiveUpAlthoughTheFirstInLineDoesNotRun(int carriers) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with(
                "--enable-native-access=ALL-UNNAMED",
                "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
                "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers)
            .run(PinnedWaitersProbe.class, Integer.toString(carriers));
    assertThat(result.value("refused")).isEqualTo(Integer.toString(carriers + 1));
    assertThat(result.value("reserved")).isEqualTo("100");
    assertThat(result.err()).isEmpty();
  }
}
