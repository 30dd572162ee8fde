package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table itself: what help and messages are made from. */
class AgentOptionTest {
  @Test
  void namesAreListedInTheOrderOfTheTable() {
    assertThat(AgentOption.keys())
        .isEqualTo("arenas, linker, direct, record, check, include, exclude, verbose, uninstall");
  }

  @ParameterizedTest
  @EnumSource
  void helpTellsNameEffectValuesAndDefault(AgentOption option) {
    String shown = option.defaultValue().isEmpty() ? "none" : option.defaultValue();

    assertThat(AgentOption.help().lines())
        .containsSequence(
            String.format("  %-9s  %s", option.key(), option.effect()),
            "             values: " + option.accepted() + "; default: " + shown);
  }

  @ParameterizedTest
  @EnumSource
  void theDefaultIsWhatHoldsWhereNothingIsGiven(AgentOption option) {
    AgentOptions absent = AgentOptions.parse(null);

    if (option.defaultValue().isEmpty()) {
      assertThat(option).isEqualTo(AgentOption.EXCLUDE);
      assertThat(absent.exclude()).isEmpty();
    } else {
      AgentOptions given = AgentOptions.parse(option.key() + "=" + option.defaultValue());
      assertThat(given.arenas()).isEqualTo(absent.arenas());
      assertThat(given.linker()).isEqualTo(absent.linker());
      assertThat(given.direct()).isEqualTo(absent.direct());
      assertThat(given.verbose()).isEqualTo(absent.verbose());
      assertThat(given.covers("any.Class")).isEqualTo(absent.covers("any.Class")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlySwitchesAreOnOrOff(AgentOption option) {
    assertThat(option.accepted().startsWith("on or off")).isEqualTo(option.isSwitch());
  }

  @Test
  void helpStartsWithHowToPassOptions() {
    assertThat(AgentOption.help().lines())
        .startsWith("-javaagent:rockpool-agent.jar[=option=value,...]")
        .hasSize(1 + 2 * AgentOption.values().length);
  }
}
