package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From the raw text of a system property to the value in force, and what is said of bad ones. */
class SettingTest {
  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void captureStandardError() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(standardError);
    for (Setting setting : Setting.values()) {
      System.clearProperty(setting.key());
    }
  }

  private List<String> said() {
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** The last column is empty where the text is refused, and the default used. */
  @ParameterizedTest
  @CsvSource({
    "BLOCK_SIZE, 0, 0",
    "BLOCK_SIZE, 63,",
    "BLOCK_SIZE, 64, 64",
    "BLOCK_SIZE, 65,",
    "BLOCK_SIZE, ' 0512 ', 512",
    "BLOCK_SIZE, 1k, 1024",
    "BLOCK_SIZE, 3k,",
    "BLOCK_SIZE, 1M, 1048576",
    "BLOCK_SIZE, 2m,",
    "BLOCK_SIZE, 4294967360,",
    "BLOCKS_PER_THREAD, 0m, 0",
    "BLOCKS_PER_THREAD, 1, 1",
    "BLOCKS_PER_THREAD, 7, 7",
    "BLOCKS_PER_THREAD, 65,",
    "BLOCKS_PER_THREAD, 1k,",
    "START_AFTER, 5, 5",
    "DIRECT_LIMIT, 0, 0",
    "DIRECT_LIMIT, ' 16G ', 17179869184",
    "DIRECT_LIMIT, 4294967360, 4294967360",
    "DIRECT_LIMIT, 1048576g, 1125899906842624",
    "DIRECT_LIMIT, 1048577g,",
    "DIRECT_LIMIT, 9999999999999999g,",
    "DIRECT_LIMIT, 9223372036854775807,",
  })
  void numberInForce(Setting setting, String raw, @Nullable Long value) {
    System.setProperty(setting.key(), raw);

    assertThat(setting.readLong()).isEqualTo(value != null ? value : setting.defaultValue());
    assertSaid(setting, raw, value != null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "-0",
        "+64",
        "99999999999999999999",
        "abc",
        "0x40",
        "k",
        "1 k",
        "1kk",
        "1.5k",
        "1e3",
        "64b",
        "64,",
        "6 4",
        "٦٤",
        "true"
      })
  void whatIsNoNumberIsRefused(String raw) {
    System.setProperty(Setting.BLOCK_SIZE.key(), raw);

    assertThat(Setting.BLOCK_SIZE.read()).isEqualTo(512);
    assertSaid(Setting.BLOCK_SIZE, raw, false);
  }

  /** A refused value is named once, with its property, the rule and the value used instead. */
  private void assertSaid(Setting setting, String raw, boolean accepted) {
    assertThat(said()).hasSize(accepted ? 0 : 1);
    assertThat(said())
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("[rockpool] System property " + setting.key())
                    .contains(setting.accepted(), "\"" + raw + "\"")
                    .endsWith("using the default, " + setting.defaultShown() + "."));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"on, true", "' on', true", "off, false", "' off ', false", "-, false"})
  void switchInForce(@Nullable String raw, boolean on) {
    assertThat(Setting.CHECK.parseSwitch(raw)).isEqualTo(on);
    assertThat(said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "On", "OFF", "true", "1", "on,off"})
  void whatIsNeitherOnNorOffIsRefused(String raw) {
    assertThat(Setting.CHECK.parseSwitch(raw)).isFalse();
    assertSaid(Setting.CHECK, raw, false);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"BLOCK_SIZE", "BLOCKS_PER_THREAD", "START_AFTER", "DIRECT_LIMIT", "RECORD_STACK"})
  void defaultIsAccepted(Setting setting) {
    assertThat(setting.accepts(setting.defaultValue())).isTrue();
    assertThat(setting.accepts(0)).as("off").isTrue();
    assertThat(setting.accepts(-1)).isFalse();
  }

  /** The page that users read says what the table says. */
  @ParameterizedTest
  @EnumSource
  void pageListsEachSetting(Setting setting) throws IOException {
    String page = Files.readString(Path.of("../docs/options.md"));
    String accepted = setting.kind() == Setting.Kind.SWITCH ? "" : "; " + setting.accepted();
    assertThat(page.replaceAll("\n  ", " ").lines()) // each item on one line
        .contains(
            "- `%s` (%s): %s%s"
                .formatted(setting.key(), setting.defaultShown(), setting.meaning(), accepted));
  }
}
