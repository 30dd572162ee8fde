package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.AgentOptions.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page that users read says what the table in the code says. */
class OptionsPageTest {
  @ParameterizedTest
  @EnumSource
  void pageHasTheRowOfEachOption(Option option) throws IOException {
    String defaultValue =
        option.defaultValue().isEmpty() ? "none" : "`" + option.defaultValue() + "`";
    assertThat(Files.readAllLines(Path.of("../docs/options.md")))
        .contains(
            "| `%s` | %s | %s | %s |"
                .formatted(option.key(), defaultValue, option.accepted(), option.effect()));
  }

  @ParameterizedTest
  @EnumSource
  void pageListsEachSwitch(Switch each) throws IOException {
    assertThat(Files.readAllLines(Path.of("../docs/options.md")))
        .contains("- %s `%s`".formatted(each.kind.toLowerCase(Locale.ROOT), each.key));
  }

  /** The reasons that messages and JMX give. */
  @ParameterizedTest
  @EnumSource
  void pageListsEachReasonToSkipAClass(AgentReport.Skip reason) throws IOException {
    assertThat(Files.readAllLines(Path.of("../docs/options.md")))
        .anyMatch(line -> line.matches("- " + Pattern.quote(reason.text()) + "([:,].*)?"));
  }
}
