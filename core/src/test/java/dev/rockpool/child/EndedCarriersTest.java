package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.EndedCarriers;
import dev.rockpool.arena.EndedCarriers.Story;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The slabs of carriers that end, one step after another; see {@link EndedCarriers}. */
class EndedCarriersTest {
  private static ChildJvm.Result told;

  @BeforeAll
  static void tellAll() throws Exception {
    Carriers.assumeThatThereAreSome();
    told =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .with("--add-opens=java.base/java.lang=ALL-UNNAMED")
            .run(EndedCarriers.class);
  }

  @ParameterizedTest
  @EnumSource
  void slabsAreReclaimed(Story story) {
    assertThat(told.value(story.name())).as(told::toString).isEqualTo(EndedCarriers.RIGHT);
  }
}
