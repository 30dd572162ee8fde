package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Texts of errors are those of the user's language, however the C library encodes them. */
class ErrorTextsTest {
  /** One that {@code MemorySegment.getString} knows, and one that it doesn't. */
  private static final String UTF_8 = "UTF-8";

  private static final String LATIN_9 = "ISO-8859-15";

  @TempDir private Path locales;

  /** Makes a locale, so that none has to be installed; an emulator has the machine make it. */
  private boolean canMake(String charset) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(
                  "localedef",
                  ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                      ? "--big-endian"
                      : "--little-endian",
                  "-i",
                  "de_DE",
                  "-f",
                  charset,
                  "--no-archive",
                  folder(charset))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  private String folder(String charset) {
    return locales.resolve("de_DE." + charset).toString();
  }

  private List<String> texts(String charset) throws IOException, InterruptedException {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .withVariable("LOCPATH", locales.toString())
            .withVariable("LC_ALL", "de_DE." + charset)
            .run(ErrorTextsProbe.class);
    assertThat(result.value("encoding")).isEqualTo(charset);
    return result.out().stream().filter(line -> line.startsWith("text=")).toList();
  }

  @Test
  void textsAreTheSameInEachEncoding() throws Exception {
    assumeTrue(
        canMake(UTF_8) && canMake(LATIN_9), "localedef and its sources (Debian: locales) are here");

    List<String> texts = texts(LATIN_9);

    assertThat(texts).isEqualTo(texts(UTF_8)).hasSize(149);
    assertThat(texts).as("none is empty").allMatch(text -> text.matches("text=\\d+ .+"));
  }

  /** A C library without such a locale speaks English in ASCII. */
  @Test
  void textsAreThereWithoutALocale() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .withVariable("LC_ALL", "C")
            .run(ErrorTextsProbe.class);

    assertThat(result.out()).contains("text=2 No such file or directory");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no close")
  void noLockOfOursIsHeldWhileTheProgramsPropertiesAreRead() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .run(ForeignLockProbe.class);
    assertThat(result.value("done")).isEqualTo("true");
  }
}
