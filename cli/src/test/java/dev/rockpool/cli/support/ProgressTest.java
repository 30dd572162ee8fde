package dev.rockpool.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private long nanos;

  private Progress progress(boolean terminal, int steps) {
    return new Progress(new PrintStream(bytes, true, UTF_8), terminal, steps, () -> nanos);
  }

  private String shown(boolean terminal) {
    try (Progress progress = progress(terminal, 2)) {
      progress.begin("one");
      progress.begin("two");
      progress.done("both");
    }
    return bytes.toString(UTF_8);
  }

  @Test
  void writesPlainLinesOfWhatIsDone() {
    assertThat(shown(false)).isEqualTo("[2/2] both" + System.lineSeparator());
  }

  @Test
  void overwritesOneLineOfATerminalAndLeavesItEmpty() {
    String clear = "\r\u001b[K";
    assertThat(shown(true)).isEqualTo(clear + "[1/2] one" + clear + "[2/2] two" + clear);
  }

  @Test
  void drawsABarOfStepsThatAreOver() {
    try (Progress progress = progress(true, 4)) {
      nanos = 3_000_000_000L;
      progress.end("one.jar");
      progress.end("/folder".repeat(10) + "/two.jar");
    }
    assertThat(bytes.toString(UTF_8).split("\r\u001b\\[K", -1))
        .containsExactly(
            "",
            "[#####---------------] 1/4, 3 s, about 9 s left: one.jar",
            "[##########----------] 2/4, 3 s, about 3 s left: ...older/folder/folder/two.jar",
            "");
  }

  @Test
  void drawsNoBarWhereThereIsNoTerminal() {
    try (Progress progress = progress(false, 1)) {
      progress.end("one.jar");
    }
    assertThat(bytes.toString(UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 0 s", "99, 99 s", "100, 2 min", "3500, 58 min", "7500, 2 h 5 min"})
  void durationsAreSaidAsPeopleDo(long seconds, String text) {
    assertThat(Progress.text(Duration.ofSeconds(seconds))).isEqualTo(text);
  }
}
