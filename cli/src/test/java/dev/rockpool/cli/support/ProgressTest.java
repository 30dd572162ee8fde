package dev.rockpool.cli.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private String shown(boolean terminal) {
    try (Progress progress = new Progress(new PrintStream(bytes, true, UTF_8), terminal, 2)) {
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
}
