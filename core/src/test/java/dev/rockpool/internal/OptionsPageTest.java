package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page that users read says what the tables in the code say. */
class OptionsPageTest {
  @ParameterizedTest
  @EnumSource
  void pageListsEachSystemProperty(SizeSetting setting) throws IOException {
    assertItem(setting.property(), setting.defaultText(), setting.meaning(), setting.accepted());
  }

  @ParameterizedTest
  @EnumSource
  void pageListsEachSwitch(SwitchSetting setting) throws IOException {
    assertItem(setting.property(), setting.defaultText(), setting.meaning(), setting.accepted());
  }

  private static void assertItem(String... parts) throws IOException {
    String page = Files.readString(Path.of("../docs/options.md"));
    assertThat(page.replaceAll("\n  ", " ").lines()) // each item on one line
        .contains("- `%s` (%s): %s; %s".formatted((Object[]) parts));
  }
}
