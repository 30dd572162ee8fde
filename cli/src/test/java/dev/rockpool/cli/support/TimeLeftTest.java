package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeLeftTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void goesOnAsBefore() {
    TimeLeft timeLeft = new TimeLeft(4, 5 * SECOND);

    assertThat(timeLeft.text(6 * SECOND)).as("nothing done yet").isEmpty();
    timeLeft.step();
    assertThat(timeLeft.text(15 * SECOND)).isEqualTo(", about 30 s left");
    timeLeft.step();
    assertThat(timeLeft.text(25 * SECOND)).isEqualTo(", about 20 s left");
    timeLeft.step();
    timeLeft.step();
    assertThat(timeLeft.text(45 * SECOND)).as("all done").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 0 s", "99, 99 s", "100, 2 min", "3500, 58 min", "7500, 2 h 5 min"})
  void durationsAreSaidAsPeopleDo(long seconds, String text) {
    assertThat(TimeLeft.text(Duration.ofSeconds(seconds))).isEqualTo(text);
  }
}
