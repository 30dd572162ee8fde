package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class InstallationTest {
  @Test
  void saysHowToStartWithTheFolder() {
    // The unit tests, unlike the integration tests, run without the property.
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(Installation::home)
        .withMessageStartingWith(
            "System property rockpool.home must name the project's folder: it is not set");
  }

  @Test
  void saysWhatIsNotBuilt() {
    Path missing = Path.of("no", "such.jar");
    assertThatExceptionOfType(CommandFailure.class)
        .isThrownBy(() -> Installation.existing(missing, "agent"))
        .withMessage(
            "The agent is not built: there is no " + missing + "; start through ./rockpool");
  }

  @Test
  void findsItsOwnJava() {
    assertThat(Installation.java()).isExecutable();
  }
}
