package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page that users read says what the table in the code says. */
class OptionsPageTest {
  @ParameterizedTest
  @EnumSource
  void pageHasTheRowOfEachSystemProperty(SizeSetting setting) throws IOException {
    assertRow(setting.property(), setting.defaultText(), setting.accepted(), setting.meaning());
  }

  @ParameterizedTest
  @EnumSource
  void pageHasTheRowOfEachSwitch(SwitchSetting setting) throws IOException {
    assertRow(setting.property(), setting.defaultText(), setting.accepted(), setting.meaning());
  }

  private static void assertRow(String... cells) throws IOException {
    assertThat(Files.readAllLines(Path.of("../docs/options.md")))
        .contains("| `%s` | %s | %s | %s |".formatted((Object[]) cells));
  }
}
