package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import org.junit.jupiter.api.Test;

/** The thread that frees is there while there is something to free one day, and no longer. */
class ReclaimerThreadTest {
  @Test
  void threadComesAndGoesWithTheBlocks() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED").run(ReclaimerProbe.class);
    assertThat(result.value("housekeeper")).as("for memory that is the JDK's").isEqualTo("false");
    assertThat(result.value("ends while there is a block")).isEqualTo("false");
    assertThat(result.value("one a second")).isEqualTo("true");
    assertThat(result.value("ends without a block")).isEqualTo("true");
    assertThat(result.value("starts again")).isEqualTo("true");
    assertThat(result.err()).isEmpty();
  }
}
