package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.AgentOptions.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page that users read says what the tables in the code say. */
class OptionsPageTest {
  /** The items of the page's lists, each on one line. */
  private static List<String> items() throws IOException {
    return Files.readString(Path.of("../docs/options.md")).replaceAll("\n  ", " ").lines().toList();
  }

  @ParameterizedTest
  @EnumSource
  void pageListsEachOption(Option option) throws IOException {
    String defaultValue = option.defaultValue.isEmpty() ? "none" : "`" + option.defaultValue + "`";
    String accepted = option.kind.accepted.equals("on or off") ? "" : "; " + option.kind.accepted;
    assertThat(items())
        .contains(
            "- `%s` (%s): %s%s".formatted(option.key(), defaultValue, option.effect, accepted));
  }

  @Test
  void pageListsEachSwitch() throws IOException {
    assertThat(items())
        .contains("- system property `" + AgentEntry.PROPERTY + "`")
        .contains("- environment variable `" + AgentEntry.VARIABLE + "`");
  }

  /** The reasons that messages and JMX give. */
  @ParameterizedTest
  @EnumSource
  void pageListsEachReasonToSkipAClass(AgentReport.Skip reason) throws IOException {
    assertThat(items())
        .anyMatch(line -> line.matches("- " + Pattern.quote(reason.text) + "([:,].*)?"));
  }
}
