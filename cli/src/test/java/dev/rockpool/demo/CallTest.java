package dev.rockpool.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallTest {
  @Test
  void givesTheResultsOfTheCLibrary() throws Throwable {
    assertThat(Call.STRLEN.result()).isEqualTo("1, 4, 4, 5, 4, 5, 3, 0, grüße: 7");
    assertThat(Call.CLOCK_GETTIME.result()).isEqualTo("0, and a later time");
    assertThat(Call.OPEN.result()).isEqualTo("-1, errno 2 (ENOENT)");
    assertThat(Call.OPEN_ADAPTED.result()).isEqualTo("-1, errno 2 (ENOENT)");
    assertThat(Call.LDIV.result()).isEqualTo("quot 10309, rem 27");
    assertThat(Call.QSORT.result()).isEqualTo("[-3, -3, 0, 1, 2, 5, 7, 8]");
    assertThat(Call.GETCWD.result()).isEqualTo(Path.of("").toRealPath().toString());
  }

  @ParameterizedTest
  @EnumSource
  void isMeasured(Call call) throws Throwable {
    Measurement measurement = new Timer(call, Pace.QUICK).measure("an.Arena");
    assertThat(measurement.nanosPerCall()).isPositive();
    assertThat(measurement.bytesPerCall()).isNotNegative();
    assertThat(measurement.arenaClass()).isEqualTo("an.Arena");
    assertThat(measurement.result()).isEqualTo(call.result());
  }
}
