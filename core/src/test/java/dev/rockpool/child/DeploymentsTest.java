package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An application that is taken out of a server leaves nothing of the library behind. */
class DeploymentsTest {
  @Test
  void applicationsThatAreDeployedAnewAreCollected() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED").run(Deployments.class);
    assertThat(result.value("collected")).isEqualTo("true");
    assertThat(result.value("state")).isEqualTo("ON");
    assertThat(Long.parseLong(result.value("closed"))).isPositive();
    assertThat(result.err()).isEmpty();
  }
}
