package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.rewrite.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page on options has the reasons that messages and JMX give. */
class OptionsPageTest {
  @ParameterizedTest
  @EnumSource
  void pageListsEachReasonToSkipAClass(Skip reason) throws IOException {
    assertThat(Files.readString(Path.of("../docs/options.md")).lines())
        .anyMatch(line -> line.matches("- " + Pattern.quote(reason.text) + "([:,].*)?"));
  }
}
