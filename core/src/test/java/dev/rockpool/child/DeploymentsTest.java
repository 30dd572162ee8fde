package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** An application that is taken out of a server leaves no class, thread or direct memory behind. */
@EnabledOnOs(OS.LINUX) // "mallinfo2"
class DeploymentsTest {
  @Test
  void applicationsThatAreDeployedAnewAreCollected() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED").run(Deployments.class);
    assertThat(result.value("collected")).isEqualTo("true");
    assertThat(result.value("state")).isEqualTo("ON");
    assertThat(Long.parseLong(result.value("closed"))).isPositive();
    assertThat(Long.parseLong(result.value("events"))).isPositive();
    assertThat(result.out()).as("nothing else").hasSize(4);
    assertThat(result.err()).isEmpty();
  }
}
