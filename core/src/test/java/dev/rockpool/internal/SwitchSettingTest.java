package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the raw text of a switch to the value in force, and what is said of bad ones. */
class SwitchSettingTest {
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void stopListening() {
    System.setErr(err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", " on", "on "})
  void on(String raw) {
    assertThat(SwitchSetting.CHECK.isOn(raw)).isTrue();
    assertThat(said.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", " off "})
  void off(String raw) {
    assertThat(SwitchSetting.CHECK.isOn(raw)).isFalse();
    assertThat(said.size()).isZero();
  }

  @Test
  void absentIsTheDefaultAndNothingIsSaid() {
    assertThat(SwitchSetting.CHECK.isOn(null)).isFalse();
    assertThat(SwitchSetting.CHECK.isOn()).isFalse();
    assertThat(said.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "On", "ON", "OFF", "true", "false", "1", "0", "yes", "on,off"})
  void allElseIsReportedAndTheDefaultUsed(String raw) {
    assertThat(SwitchSetting.CHECK.isOn(raw)).isFalse();
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "[rockpool] System property rockpool.check ("
                + SwitchSetting.CHECK.meaning()
                + ") must be on or off: it is \""
                + raw
                + "\"; using the default, off.");
  }
}
