package dev.rockpool.demo;

import static java.lang.Double.parseDouble;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
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
    List<String> values = values(call, () -> 5);
    assertThat(values).hasSize(8).startsWith(call.function());
    assertThat(values.subList(1, 4)).allSatisfy(v -> assertThat(parseDouble(v)).isPositive());
    assertThat(parseDouble(values.get(4))).isNotNegative();
    assertThat(URLDecoder.decode(values.get(5), UTF_8)).isEqualTo(call.result());
    assertThat(values.get(7)).contains("Arena");
  }

  @Test
  void isCompiledOnceTheCompilerIsIdle() throws Throwable {
    AtomicLong millis = new AtomicLong();
    // The compiler's clock is read before and after each window.
    assertThat(values(Call.LDIV, () -> Math.min(millis.getAndAdd(100), 600)).get(6))
        .isEqualTo("true");
    assertThat(millis.get()).as("five windows").isEqualTo(1000);
    assertThat(values(Call.LDIV, () -> millis.getAndAdd(100)).get(6)).isEqualTo("false");
  }

  private static List<String> values(Call call, LongSupplier compilationMillis) throws Throwable {
    Timer.Figures figures = new Timer(150e6, 2, 10, compilationMillis).measure(new CallTimer(call));
    String line = figures.csv(call.function(), call.result());
    assertThat(line).matches("[ -~]+");
    return List.of(line.split(",", -1));
  }
}
