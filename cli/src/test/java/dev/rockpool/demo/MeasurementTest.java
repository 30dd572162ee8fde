package dev.rockpool.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasurementTest {
  @ParameterizedTest
  @ValueSource(strings = {"5", "", "/home/a b/ü\n%+&=", "[1, 2]"})
  void survivesTheWayThroughALine(String result) {
    Measurement measurement = new Measurement(12.5, 0, "java.lang.foreign.Some$Arena", result);
    assertThat(measurement.toLine()).isPrintable().matches("[ -~]+");
    assertThat(Measurement.find(List.of("something else", measurement.toLine(), "")))
        .contains(measurement);
  }

  @Test
  void isAbsentWhereThereIsNoLine() {
    assertThat(Measurement.find(List.of("", "rockpool-demonstration"))).isEmpty();
  }
}
