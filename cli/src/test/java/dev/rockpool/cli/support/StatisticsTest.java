package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatisticsTest {
  @Test
  void medianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Statistics.median(9, 1, 5)).isEqualTo(5);
  }

  @Test
  void medianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    assertThat(Statistics.median(9, 1, 5, 3)).isEqualTo(4);
  }

  @Test
  void medianLeavesItsArgumentsAlone() {
    double[] values = {3, 1, 2};
    Statistics.median(values);
    assertThat(values).containsExactly(3, 1, 2);
  }

  @Test
  void medianNeedsAValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(Statistics::median)
        .withMessage("A median needs a value: values=[]");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.00",
    "1.234, 1.23",
    "9.994, 9.99",
    "9.996, 10.0",
    "42.14, 42.1",
    "99.96, 100",
    "4210.4, 4210"
  })
  void showsThreeDigits(double value, String text) {
    assertThat(Statistics.threeDigits(value)).isEqualTo(text);
  }
}
