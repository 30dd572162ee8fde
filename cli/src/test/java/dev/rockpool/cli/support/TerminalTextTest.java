package dev.rockpool.cli.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTextTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private PrintStream filtered(Charset charset) {
    return TerminalText.filtered(new PrintStream(printed, false, charset));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "ISO-8859-1"})
  void steeringCharactersAreReplacedInEachCharset(String charset) {
    try (PrintStream out = filtered(Charset.forName(charset))) {
      out.print("\u001b]2;t\u0007\u009b1mé\t\rx\u007f\r\n");
      out.printf("%s %s", "\u202eabc", '\b');
      out.println(new char[] {'\u0085', '!'});
    }

    assertThat(printed.toString(Charset.forName(charset)))
        .isEqualTo("?]2;t??1mé\t?x?\r\n?abc ??!\n");
  }

  /** As picocli prints messages, and the JDK stack traces. */
  @Test
  void soTheyAreInMessagesOfFailures() {
    PrintStream err = filtered(UTF_8);
    PrintWriter writer = new PrintWriter(err, true, err.charset());
    writer.println("a\u001bb".repeat(5000) + "\ud83d\ude00");
    new IllegalStateException("\u001b[2J").printStackTrace(err);

    assertThat(printed.toString(UTF_8))
        .startsWith("a?ba?b")
        .contains("b\ud83d\ude00\njava.lang.IllegalStateException: ?[2J\n\tat ");
  }

  @Test
  void aFullDiskIsSeen() throws IOException {
    try (FileOutputStream full = new FileOutputStream(new File("/dev/full"))) {
      PrintStream below = new PrintStream(full, false, ISO_8859_1);
      TerminalText.filtered(below).println("lost");

      assertThat(below.checkError()).isTrue();
    }
  }
}
