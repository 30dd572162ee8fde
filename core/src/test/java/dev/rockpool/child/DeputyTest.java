package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Native access that was granted to Rockpool is Rockpool's alone. */
class DeputyTest {
  @Test
  void aProgramWithoutNativeAccessGetsNone() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onModulePath()
            .with("--enable-native-access=dev.rockpool", "--illegal-native-access=deny")
            .run(DeputyProbe.class);

    assertThat(result.value("own")).isEqualTo("denied");
    assertThat(result.value("deputies")).isEqualTo("[]");
  }
}
