package dev.rockpool.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExitTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long start = System.nanoTime();

  @Test
  void isDueAfterSoManyRefusalsWithinAMinute() {
    Exit exit = new Exit(3);
    assertThat(exit.isDue(0, start)).isFalse();
    assertThat(exit.isDue(2, start + SECOND)).isFalse();
    assertThat(exit.isDue(3, start + 50 * SECOND)).isTrue();
  }

  @Test
  void isNotDueIfTheyTakeLonger() {
    Exit exit = new Exit(3);
    long refused = 0;
    for (long second = 0; second < 600; second++) {
      refused = second / 31;
      assertThat(exit.isDue(refused, start + second * SECOND)).isFalse();
    }
    assertThat(exit.isDue(refused + 2, start + 600 * SECOND)).isTrue();
  }

  @Test
  void theFirstRefusalsAfterAMinuteOfRestCount() {
    Exit exit = new Exit(2);
    assertThat(exit.isDue(5, start)).as("refused before").isFalse();
    assertThat(exit.isDue(7, start + 61 * SECOND)).isTrue();
  }
}
