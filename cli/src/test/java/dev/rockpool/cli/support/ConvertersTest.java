package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ConvertersTest {
  private final Converters.Time converter = new Converters.Time();

  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "60s, PT1M", "5m, PT5M", "2h, PT2H", "999999999h, PT999999999H"})
  void takesANumberWithItsUnit(String text, Duration expected) {
    assertThat(converter.convert(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "60", "s", "0s", "-1s", "1.5s", "60 s", "1S", "1d", "9999999999s"})
  void refusesAllElseByName(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "must be a number above 0 with its unit ms, s, m or h, such as 60s: '" + text + "'");
  }
}
