package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** An application that is taken out of a server leaves nothing of the library behind. */
@EnabledOnOs(OS.LINUX) // "mallinfo2"
class DeploymentsTest {
  private static final long OF_THREAD = 64 * (64 << 10);

  @Test
  void applicationsThatAreDeployedAnewAreCollected() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .with("-Drockpool.slab.size=64k", "-Drockpool.slabs.per.thread=64")
            .run(Deployments.class);
    assertThat(result.value("collected")).isEqualTo("true");
    assertThat(Long.parseLong(result.value("bytes left")))
        .as("of twenty threads, and as much direct memory")
        .isLessThan(4 * OF_THREAD);
    assertThat(result.value("state")).isEqualTo("ON");
    assertThat(Long.parseLong(result.value("closed"))).isPositive();
    assertThat(Long.parseLong(result.value("events"))).isPositive();
    assertThat(result.out()).as("nothing else").hasSize(5);
    assertThat(result.err()).isEmpty();
  }
}
